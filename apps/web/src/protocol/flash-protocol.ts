/**
 * Messages between a page and the flasher's worker. The worker runs beside the bench, in the same thread, so that the
 * console can open a board that was just flashed. A board is addressed by the bench's port number. The contents of
 * given files never come back to the page. Each family's additions are in `families.ts`. All values can be cloned
 * between threads.
 */
import type { FlasherFamily } from '@wirebench/contract/constants';
import type {
  BoardChange,
  BoardState,
  Fate,
  FlashRange,
  WriteEvent,
  WriteReport,
  WriteStage,
} from '@wirebench/flasher/core';
import type { StartAnswer } from '@wirebench/flasher/espressif';
import type { PortNumber } from '@wirebench/serial';
import type { FlashSource } from './usb-source.ts';

/** Types that a family supplies: its board, its settings, and its own actions. */
export interface FamilyTypes {
  readonly board: BoardFacts;
  readonly settings: { readonly family: FlasherFamily };
  /** Names of this family's own actions; `never` if it has no actions. */
  readonly action: string;
}

/** Options of one connection attempt. A missing option is taken from the settings. */
export interface ConnectTry {
  /** In baud. */
  readonly baudRate?: number;
  /** True: the user has put the board into its bootloader, so the worker does not touch the control lines. */
  readonly byHand?: boolean;
  /** False: use the chip's ROM bootloader alone, without the stub (Espressif). */
  readonly stub?: boolean;
}

export interface ConnectRequest<Settings> extends ConnectTry {
  /** Rate to flash at, in baud. */
  readonly baudRate: number;
  readonly settings: Settings;
  /** Id of the board that was being written. Any other board is refused with `other-board`. */
  readonly expectedId?: string;
}

export type FileId = number;

/** Name of a set of files beside the chosen ones: the id of a release's build. Missing: the chosen files. */
export type FileSet = string | undefined;

/** A file from a disk, a folder or a release: its name and its bytes. */
export interface GivenFile {
  /** Name, or path within a folder. */
  readonly name: string;
  readonly content: Blob;
  /** Prescribed offset in flash, for example by a release. Missing: derived from the contents. */
  readonly offset?: number;
}

/** Describes a file that may be written. */
export interface FileFacts {
  readonly id: FileId;
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** Kind of file: `Bootloader for ESP32-S3, ESP-IDF v5.1`. */
  readonly what: string;
  /** Proposed offset; null if nothing determines it. */
  readonly offset: number | null;
  /** Reason for the proposed offset, or for its absence. */
  readonly why: string;
  /** Ranges of its bytes, in address order, if the file fixes them and the user cannot choose; else null. */
  readonly places: readonly FlashRange[] | null;
  /** Name and version in the application itself: `weather-node 1.4.0`; null if it has neither. */
  readonly application: string | null;
  /** Chip that it was built for, as boards name it: `ESP32-S3`. Missing: it does not say. */
  readonly chip?: string;
  /** Set for firmware that keeps its user's files in flash. */
  readonly python?: 'MicroPython' | 'CircuitPython';
  /** Lower-case hexadecimal; empty if the browser cannot hash (plain http). */
  readonly sha256: string;
}

export interface ChosenFiles {
  /** Sorted by offset. */
  readonly files: readonly FileFacts[];
  /** Given files that will not be written, with the reason. */
  readonly leftOut: readonly { readonly name: string; readonly why: string }[];
  readonly conflicts: readonly Finding[];
}

/** Requirements of a release for the boards it is written to. */
interface ReleaseGuard {
  readonly model: string | null;
  /** True: for demo devices only. */
  readonly demo: boolean;
}

/** The files to write, and the settings to write them with. */
export interface PlanRequest<Settings> {
  /** Set that the files belong to. */
  readonly fileSet?: FileSet;
  /** The offset is ignored for files with `places` of their own. */
  readonly files: readonly { readonly id: FileId; readonly offset: number }[];
  readonly settings: Settings;
  readonly guard: ReleaseGuard | null;
  /** Codes of the refusals that the user has overridden. */
  readonly overrides: readonly string[];
  /** Changes to the contents of this board's flash, written after the files. Missing: none. */
  readonly changes?: readonly BoardChange[];
}

/** Facts that every family's board reports once it is in its bootloader. */
export interface BoardFacts {
  readonly family: FlasherFamily;
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
  /** Instruction for the user after a flash. Missing or null: nothing to do. */
  readonly afterwards?: string | null;
  /** True: a simulated board. */
  readonly demo: boolean;
  readonly port: SerialPortInfo;
}

export interface BoardConsole {
  /** Levels of the control lines while the program runs; null to leave them unchanged. */
  readonly lines: ControlLines | null;
  /**
   * Restarts the program. `circuit`: by the reset circuit that the bench knows. Levels: by holding them for a moment.
   * Null: this page cannot restart it.
   */
  readonly reset: 'circuit' | ControlLines | null;
}

interface ControlLines {
  readonly dtr: boolean;
  readonly rts: boolean;
}

export interface NamedArea extends FlashRange {
  readonly name: string;
  /** Name and version of the program in it: `weather-node 1.3.2`. Missing: none is known. */
  readonly holds?: string;
}

/** Calls from the page to the worker. Failures arrive as `CallError`, with the family's failure code if it has one. */
export interface FlasherApi<Family extends FamilyTypes> {
  /** Opens the port, brings the board into its bootloader and identifies it. */
  connect(port: PortNumber, source: FlashSource, request: ConnectRequest<Family['settings']>): Family['board'];
  /** Adds files to those of the set, and places all of them. Archives are opened. */
  addFiles(files: readonly GivenFile[], set?: FileSet): ChosenFiles;
  removeFiles(ids: readonly FileId[], set?: FileSet): ChosenFiles;
  /** Compares the files with the board's flash, and returns the plan of a write. Changes nothing. */
  plan(port: PortNumber, request: PlanRequest<Family['settings']>): PlanFacts;
  /**
   * Returns what the latest plan for this board leaves in flash, files and changes, with the settings applied. Empty
   * for families whose files have no addresses.
   */
  parts(port: PortNumber): readonly PlannedPart[];
  /** Carries out the latest plan for this board. */
  write(port: PortNumber): WriteReport;
  /** Cancels the current work at this board. The pending call rejects with `cancelled`. */
  cancel(port: PortNumber): void;
  /** Starts the board's program, and releases the port. */
  restart(port: PortNumber): void;
  /** Releases the port. The board stays in its bootloader. */
  close(port: PortNumber): void;
  /** Reads a range of flash. The bytes stay with the browser until the page reads the blob. */
  read(port: PortNumber, range: FlashRange): Blob;
  /** Erases whole sectors, or all of the flash if `range` is null. Returns the board's facts afterwards. */
  erase(port: PortNumber, range: FlashRange | null): Family['board'];
  /** Performs an action of this family. Returns null if the board has reset and must be connected again. */
  perform(port: PortNumber, action: Family['action']): Family['board'] | null;
}

/** A stretch of flash with the bytes that a plan writes to it. */
export interface PlannedPart {
  /** Name of the file or change. */
  readonly name: string;
  readonly offset: number;
  readonly content: Blob;
}

/** A stretch of flash that a plan writes. */
export interface ComparedRegion extends FlashRange {
  /** Name of the file that contains its bytes. */
  readonly file: string;
  /** True: flash already contains these bytes. Null: not compared. */
  readonly same: boolean | null;
}

/** A statement about files or a plan: a code for programs, and sentences for users. */
export interface Finding {
  readonly code: string;
  /** Names of the files concerned. */
  readonly files: readonly string[];
  readonly what: string;
  readonly remedy: string;
}

export interface Refusal extends Finding {
  /** True: the user may override it by typing its code. */
  readonly overridable: boolean;
}

/** A plan as it is shown before the erase. It does not contain the bytes. */
export interface PlanFacts {
  readonly refusals: readonly Refusal[];
  /** Refusals that the user has overridden. */
  readonly overridden: readonly Refusal[];
  readonly warnings: readonly Finding[];
  readonly eraseAll: boolean;
  readonly regions: readonly ComparedRegion[];
  /** The whole flash in address order, without gaps, as far as it is known. */
  readonly map: readonly PlannedArea[];
  /** Bytes of the image to write. `same` are the bytes that flash already contains. */
  readonly toWrite: number;
  readonly same: number;
  /** Estimated time for erasing, writing and verifying, in milliseconds. */
  readonly duration: number;
  /** Answer to "Will this image start here?" (Espressif); missing or null if no file holds a program. */
  readonly start?: StartAnswer | null;
}

interface PlannedArea extends FlashRange {
  /** Null for an area without a name. */
  readonly name: string | null;
  readonly fate: Fate;
}

export type FlashEvent =
  | { readonly type: 'stage'; readonly stage: WriteStage }
  /** Current step of a connection, from the family's own list. */
  | { readonly type: 'step'; readonly step: string }
  | { readonly type: 'write'; readonly event: WriteEvent }
  /** Progress of a read or an erase, in bytes. */
  | { readonly type: 'work'; readonly done: number; readonly total: number }
  /** The board is gone. A pending call rejects by itself. */
  | { readonly type: 'gone' };

export type FlashLineLevel = 'info' | 'success' | 'warning' | 'error' | 'board';

/** A line of the log. */
export interface FlashLine {
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
  readonly port: PortNumber;
  /** `board`: text that the board printed. */
  readonly level: FlashLineLevel;
  readonly text: string;
}

/** Events and log lines since the previous tick, in order. */
export interface FlasherTick {
  readonly events: readonly { readonly port: PortNumber; readonly event: FlashEvent }[];
  readonly lines: readonly FlashLine[];
}

/** Details of a failure besides its code. */
export interface FlashFailureDetail {
  /** A register, a status or the board's own words; null if nothing more is known. */
  readonly detail: string | null;
  /** State in which the failure left the board. */
  readonly state: BoardState;
}
