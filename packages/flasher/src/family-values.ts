/** Facts about a connected board and about a plan. Plain values, which can be posted between threads. */
import type { FamilyId } from '@wirebench/boards';
import type { ControlLines } from '@wirebench/port';
import type { StoredSettings } from './core/findings.ts';
import type { Fate, RefusalFinding, WarningFinding } from './core/flash-plan.ts';
import type { FlashRange } from './core/region.ts';
import type { StartAnswer } from './esp/plan/start-answer.ts';

/** Facts that every family's board reports. */
export interface BoardDescription<Id extends string = FamilyId> {
  readonly family: Id;
  /** Chip in the vendor's spelling: `ESP32-S3`, `STM32F405`. */
  readonly name: string;
  /** Exact model; null if no more is known than `name`. */
  readonly model: string | null;
  /** Unique id of the chip; null if the chip does not report one. */
  readonly id: string | null;
  /** First address of its flash, and the size in bytes; null if unknown. */
  readonly flash: { readonly start: number; readonly size: number | null };
  /** Named areas of its flash, as far as they are known, in address order. */
  readonly areas: readonly NamedArea[];
  /** Current rate in baud; null on a link without a rate. */
  readonly baudRate: number | null;
  /** Settings for listening to its program through the same port; null if that is not possible. */
  readonly console: BoardConsole | null;
  /** Instruction for the person after a flash. Missing or null: nothing to do. */
  readonly afterwards?: string | null;
  /** Everything that its bootloader reported, in the family's own terms. */
  readonly info: object;
}

export interface NamedArea extends FlashRange {
  readonly name: string;
  /** Name and version of the program in it: `weather-node 1.3.2`. Missing: none is known. */
  readonly holds?: string;
  /** True: its first bytes were read, and are erased. Missing: not known. */
  readonly isEmpty?: true;
}

export interface BoardConsole {
  /** Levels of the control lines while the program runs; null to leave them unchanged. */
  readonly lines: ControlLines | null;
  /**
   * Restarts the program. `circuit`: by the reset circuit of Espressif's boards. Levels: by holding them for a moment.
   * Null: the port cannot restart it.
   */
  readonly reset: 'circuit' | ControlLines | null;
}

/** A plan as it is shown before the erase. It does not contain the bytes. */
export interface PlanFacts {
  /** Reasons against the write. It can be carried out only if this is empty. */
  readonly refusals: readonly RefusalFinding<string>[];
  /** Refusals that a person has overridden. */
  readonly overridden: readonly RefusalFinding<string>[];
  readonly warnings: readonly WarningFinding<string>[];
  readonly eraseAll: boolean;
  readonly regions: readonly ComparedRegion[];
  /** The whole flash in address order, without gaps, as far as it is known. */
  readonly map: readonly PlannedArea[];
  /** Bytes of the image to write. `same` are the bytes that flash already contains; 0 where nothing was compared. */
  readonly toWrite: number;
  readonly same: number;
  /** Estimated time for erasing, writing and verifying, in milliseconds. */
  readonly duration: number;
  /** Answer to "Will this image start here?" (Espressif); missing or null if no file holds a program. */
  readonly start?: StartAnswer | null;
  /** Settings on the board (Espressif); null if it has stored none. Missing: not looked for. */
  readonly stored?: StoredSettings | null;
  /** Files of the board that the write takes, and that are saved before it. Missing: the plan does not look for files. */
  readonly saved?: readonly PlannedSave[];
}

/** Files of a file system in flash, which a plan saves in an archive. */
export interface PlannedSave {
  /** Name of the archive. */
  readonly file: string;
  /** Name of the area that they are in. */
  readonly area: string;
  /** True: the write puts all of them back. */
  readonly isPutBack: boolean;
}

/** A stretch of flash that a plan writes. Its offset is the image's number if the bootloader chooses the place. */
export interface ComparedRegion extends FlashRange {
  /** Name of the file that contains its bytes. */
  readonly file: string;
  /** True: flash already contains these bytes. Null: not compared. */
  readonly same: boolean | null;
}

interface PlannedArea extends FlashRange {
  /** Null for an area without a name. */
  readonly name: string | null;
  readonly fate: Fate;
}

/** A stretch of flash with the bytes that a plan writes to it. */
export interface PlannedBytes {
  /** Name of the file or change. */
  readonly name: string;
  readonly offset: number;
  /** In the order of addresses, without gaps. */
  readonly bytes: readonly Uint8Array[];
}
