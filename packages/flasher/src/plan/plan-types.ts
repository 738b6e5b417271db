/** What a plan is made from and what it says. Plain values: they cross a worker's border as they are. */
import type { BoardInfo } from '../espressif/board-info.ts';
import type { ChipName } from '../espressif/chips/chip-name.ts';
import type { FailureText } from '../flash-failure.ts';
import type { FlashSettings } from '../images/esp/flash-settings.ts';
import type { OtaData } from '../images/esp/ota-data.ts';
import type { PartitionTable } from '../images/esp/partition-table.ts';
import type { FlashRange, FlashRegion } from '../region.ts';
import type { PlanRefusal, PlanWarning } from './plan-finding.ts';

export interface PlanFile {
  readonly name: string;
  /** Address in flash, in bytes. */
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** The connected board. */
export interface PlanBoard {
  readonly info: Pick<BoardInfo, 'chip' | 'model' | 'revision' | 'flash' | 'security'>;
  /** A simulated one: demo firmware is for it alone. */
  readonly isDemo: boolean;
  /** As it stands in its flash; `not-read` where that was not or could not be looked at. */
  readonly table: PartitionTable | 'none' | 'not-read';
  /** Where its table stands; 0x8000 when left out. */
  readonly tableOffset?: number;
  /** Which app it starts; null when its OTA data say nothing, or there are none. */
  readonly otaData: OtaData | null;
}

/** What a release says about the boards that it is for; null is anything. */
export interface BoardGuard {
  readonly chip: ChipName | null;
  /** At least so many bytes. */
  readonly flashSize: number | null;
  /** As on the package, such as `ESP32-PICO-D4`. */
  readonly model: string | null;
  /** For demo devices only. */
  readonly isDemo: boolean;
}

export const anyBoard: BoardGuard = { chip: null, flashSize: null, model: null, isDemo: false };

/**
 * `none`: nothing beyond the sectors that are written. `needed`: besides, the choice of another app where that would keep the
 * new one from starting. `all`: the whole flash, before anything is written.
 */
export type EraseChoice = 'none' | 'needed' | 'all';

/** `detect`: what the flash chip of the board says. */
export type PlanSettings = Omit<FlashSettings, 'size'> & { readonly size: number | 'keep' | 'detect' };

export interface PlanInput {
  readonly files: readonly PlanFile[];
  /** Null before one is connected: the plan is of the files alone. */
  readonly board: PlanBoard | null;
  readonly guard?: BoardGuard;
  readonly settings?: PlanSettings;
  readonly erase?: EraseChoice;
  /** Leaves stored settings as they are, even where a merged image or erasing everything would take them away. */
  readonly keepNvs?: boolean;
  /** Refusals that a person has typed away; only those that say `overridable` heed it. */
  readonly overrides?: readonly PlanRefusal[];
  /** Bytes, a multiple of 4,096. */
  readonly regionSize?: number;
}

/** `files` are the names that the sentence is about. */
export interface RefusalFinding extends FailureText {
  readonly code: PlanRefusal;
  readonly files: readonly string[];
  /** Whether a person may type it away. */
  readonly overridable: boolean;
}

export interface WarningFinding extends FailureText {
  readonly code: PlanWarning;
  readonly files: readonly string[];
}

export interface PlannedRegion extends FlashRegion {
  /** Name of the file that its bytes are from. */
  readonly file: string;
}

export interface NamedRange extends FlashRange {
  readonly name: string;
}

/** What becomes of a stretch of flash. `restored`: read before the erase, and written back. */
export type Fate = 'written' | 'erased' | 'restored' | 'kept';

export interface MapArea extends FlashRange {
  /** Partition, `bootloader` or `partition table`; null for what has no name. */
  readonly name: string | null;
  readonly fate: Fate;
  /** Where it is written: the file. */
  readonly file: string | null;
}

export interface FlashPlan {
  /** What keeps the plan from being carried out: none may be left. */
  readonly refusals: readonly RefusalFinding[];
  /** Refusals that were typed away: to be said in the receipt. */
  readonly overridden: readonly RefusalFinding[];
  readonly warnings: readonly WarningFinding[];
  /** In the order of addresses, with changed settings already in them. They do not touch each other's sectors. */
  readonly regions: readonly PlannedRegion[];
  readonly eraseAll: boolean;
  /** Whole sectors that are erased and stay empty. Empty with `eraseAll`. */
  readonly erase: readonly NamedRange[];
  /** To be read before the erase and written back after it. */
  readonly restore: readonly NamedRange[];
  /** The whole flash in the order of addresses, without gaps; up to the last known byte when its size is not known. */
  readonly map: readonly MapArea[];
  /** Bytes of all regions. */
  readonly bytes: number;
  /** The table that is there afterwards; null when that is not known. */
  readonly table: PartitionTable | null;
}
