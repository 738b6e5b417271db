/** A connected board of any family, as the dialog works with it. Each family has its own file, fetched when needed. */
import type { Clock } from '@wirebench/clock';
import type { WriteEvent, WriteReport, WriteStage } from '@wirebench/flasher/core';
import type { LoadedManifestFile } from '@wirebench/flasher/release';
import type { BoardFacts, BuildGuards } from '@wirebench/flasher/release/builds';
import type { UsbDevice } from '@wirebench/flasher/stm32';
import type { ControlLines, LineStep } from '@wirebench/port';

export type Family = 'esp' | 'stm' | 'nrf' | 'avr';

/** Device that a person chose. */
export type Source =
  | { readonly kind: 'serial'; readonly port: SerialPort }
  | { readonly kind: 'usb'; readonly device: UsbDevice; readonly gone: AbortSignal };

export interface ConnectParts {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly source: Source;
  /** Identifies the device that a person chose. The same object when its board is connected again. */
  readonly chosen: object;
  readonly isDemo: boolean;
  /** In baud; null for the family's default. */
  readonly baudRate: number | null;
  /** True: a person has put the board into its bootloader, so the control lines are not used. */
  readonly byHand: boolean;
  /** Id of the board that was being written. Any other is refused with `other-board`. Null accepts any. */
  readonly expectedId: string | null;
  /** Resolves with the port of a board that vanished at a restart and came back. */
  readonly returned: (signal: AbortSignal) => Promise<SerialPort>;
  /** @param text Sentence without full stop. */
  readonly onStep: (text: string) => void;
}

export interface Finding {
  readonly code: string;
  readonly what: string;
  readonly remedy: string;
}

/** A stretch that a write touches. */
interface PlannedFile {
  readonly name: string;
  /** Flash address in bytes; null for an image whose address only the bootloader knows. */
  readonly offset: number | null;
  readonly length: number;
}

export interface BoardPlan {
  /** Reasons against the write. It can be carried out only if this is empty. */
  readonly refusals: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly files: readonly PlannedFile[];
  /** Names of areas with data that stay as they are, and of areas that are erased. */
  readonly kept: readonly string[];
  readonly erased: readonly string[];
  readonly eraseAll: boolean;
  /** Bytes to write, and bytes that flash already holds. `same` is 0 where nothing was compared. */
  readonly toWrite: number;
  readonly same: number;
  /** Estimate in milliseconds. */
  readonly duration: number;
}

export interface PlanOptions {
  readonly files: readonly LoadedManifestFile[];
  readonly model: string;
  readonly guards: BuildGuards;
  /** True: the release is for demo boards only. */
  readonly isDemoRelease: boolean;
  readonly eraseAll: boolean;
  readonly signal: AbortSignal;
}

export interface WriteOptions {
  readonly signal: AbortSignal;
  readonly onStage: (stage: WriteStage) => void;
  readonly onEvent: (event: WriteEvent) => void;
}

/** Settings for listening to a board's program through its port. */
export interface ConsoleLines {
  readonly atOpen: ControlLines | null;
  /** Restarts the program; null if this port cannot. */
  readonly reset: readonly LineStep[] | null;
}

export interface ButtonBoard {
  readonly facts: BoardFacts;
  /** Chip as its vendor writes it, with all that is known: `ESP32-D0WD-V3`. */
  readonly name: string;
  /** Vendor's name of the chip: `ESP32`. */
  readonly chip: string;
  readonly id: string | null;
  /** Name of the id: `MAC`. */
  readonly idName: string;
  readonly isDemo: boolean;
  /** False: nothing is erased but what is written, so the question is not asked. */
  readonly canEraseAll: boolean;
  /** True: regions have addresses. False: they are images in the order of writing. */
  readonly hasAddresses: boolean;
  /** Aborts when the board is gone or closed. */
  readonly over: AbortSignal;
  /** Compares the files with the board, and keeps the plan for `write`. */
  plan(options: PlanOptions): Promise<BoardPlan>;
  write(options: WriteOptions): Promise<WriteReport>;
  /** Starts the program. */
  restart(): Promise<void>;
  /** True: the port vanishes at the restart and comes back. */
  readonly vanishes: boolean;
  /** Null: no program can be heard through this device. */
  readonly console: ConsoleLines | null;
  /** Instruction for the person after a flash; null without one. */
  readonly afterwards: string | null;
  /** Never rejects. */
  close(): Promise<void>;
}

/** Text of a failure, by its code. */
export type RemedyOf = (code: string) => string;

/** Exports of the file of a family. */
export interface FamilyModule {
  connectBoard(parts: ConnectParts): Promise<ButtonBoard>;
  readonly remedyOf: RemedyOf;
}

/** A file of the release that cannot be used. Its message is a sentence with its remedy. */
export class FileFault extends Error {
  override readonly name = 'FileFault';
  readonly code = 'unusable-file';
}
