/**
 * Messages between a page and the flasher's worker. The worker runs beside the bench, in the same thread, so that the
 * console can open a board that was just flashed. A board is addressed by the bench's port number. The contents of
 * given files never come back to the page. Each family's additions are in `families.ts`. All values can be cloned
 * between threads.
 */
import type { FamilyId } from '@wirebench/boards';
import type { ChosenFiles, FileId, FileOrigin, FileSet, GivenFile } from '@wirebench/flasher/chosen-files';
import type { BoardChange, BoardState, FlashRange, WriteEvent, WriteReport, WriteStage } from '@wirebench/flasher/core';
import type { FamilyTypes as FlasherTypes, ReleaseGuard, SavedFile } from '@wirebench/flasher/family';
import type { BoardDescription, PlanFacts } from '@wirebench/flasher/family-values';
import type { Wholeness } from '@wirebench/flasher/images';
import type { PortNumber } from '@wirebench/serial';
import type { UsbPlace } from '../hardware/web-usb.ts';
import type { FlashSource } from './usb-source.ts';

export {
  type ChosenFiles,
  type FileFacts,
  type FileOrigin,
  type FileSection,
  type Finding,
  type GivenBuilds,
  type GivenFile,
  originOf,
} from '@wirebench/flasher/chosen-files';
export type { ComparedRegion, NamedArea, PlanFacts, PlannedSave } from '@wirebench/flasher/family-values';

/** Types that a family supplies: its board, its settings, and its own actions. */
interface FamilyTypes {
  readonly board: BoardFacts;
  readonly settings: { readonly family: FamilyId };
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

/** The files to write, and the settings to write them with. */
export interface PlanRequest<Settings> {
  /** Set that the files belong to. */
  readonly fileSet?: FileSet;
  /** The offset is ignored for files with `places` of their own. */
  readonly files: readonly { readonly id: FileId; readonly offset: number }[];
  readonly settings: Settings;
  /** Requirements of a release for the boards it is written to. */
  readonly guard: Pick<ReleaseGuard, 'model' | 'demo'> | null;
  /** Codes of the refusals that the user has overridden. */
  readonly overrides: readonly string[];
  /** Changes to the contents of this board's flash, written after the files. Missing: none. */
  readonly changes?: readonly BoardChange[];
}

/** Facts that every family's board reports once it is in its bootloader. */
export interface BoardFacts extends BoardDescription, PortFacts {}

/** Facts that the worker adds to those of the family. */
interface PortFacts {
  /** True: a simulated board. */
  readonly demo: boolean;
  readonly port: SerialPortInfo;
}

/** Types of a family's messages: its boards are at a port. */
export interface OnPort<Types extends FlasherTypes> {
  readonly board: Types['facts'] & PortFacts;
  readonly settings: Types['settings'];
  readonly action: Types['action'];
}

/** Calls from the page to the worker. Failures arrive as `CallError`, with the family's failure code if it has one. */
export interface FlasherApi<Family extends FamilyTypes> {
  /** Opens the port, brings the board into its bootloader and identifies it. */
  connect(port: PortNumber, source: FlashSource, request: ConnectRequest<Family['settings']>): Family['board'];
  /** Returns true if this USB device is plugged in and is the board of no port. */
  isUsbFree(place: UsbPlace): boolean;
  /** Adds files to those of the set, and places all of them. Archives are opened. */
  addFiles(files: readonly GivenFile[], set?: FileSet): ChosenFiles;
  removeFiles(ids: readonly FileId[], set?: FileSet): ChosenFiles;
  /** Takes the files of one of the builds that were given together, in place of those of another one. */
  pickBuild(name: string): ChosenFiles;
  /**
   * Replaces the chosen files by their newest contents, and places all of them. Returns null if nothing differs.
   *
   * @param batches Given files as they are now, in the groups in which they were added.
   * @param without Files that the user has removed.
   */
  renewFiles(batches: readonly (readonly GivenFile[])[], without: readonly FileOrigin[]): ChosenFiles | null;
  /**
   * Judges files that a build may still be writing. Keeps none of them.
   *
   * @param programs The ELF file beside each file; null without one.
   */
  checkBuild(files: readonly GivenFile[], programs: readonly (GivenFile | null)[]): readonly Wholeness[];
  /** Returns after `duration` milliseconds. Browsers slow the timers of a hidden page, but not those of a worker. */
  pause(duration: number): void;
  /** Compares the files with the board's flash, and returns the plan of a write. Changes nothing. */
  plan(port: PortNumber, request: PlanRequest<Family['settings']>): PlanFacts;
  /**
   * Returns what the latest plan for this board leaves in flash, files and changes, with the settings applied. Empty
   * for families whose files have no addresses.
   */
  parts(port: PortNumber): readonly PlannedPart[];
  /** Returns data of the board that exists only in the worker's memory: files that the latest plan takes, and leftovers. */
  savedFiles(port: PortNumber): readonly SavedArchive[];
  /**
   * Carries out the latest plan for this board.
   *
   * @param saved True: the files that it takes are saved, or a person gives them up. A plan with `saved` needs it.
   */
  write(port: PortNumber, saved?: boolean): WriteReport;
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

/** Data of a board as one file. */
export interface SavedArchive extends Pick<SavedFile, 'name' | 'offset' | 'isPutBack'> {
  readonly content: Blob;
}

/** A stretch of flash with the bytes that a plan writes to it. */
export interface PlannedPart {
  /** Name of the file or change. */
  readonly name: string;
  readonly offset: number;
  readonly content: Blob;
}

export type Refusal = PlanFacts['refusals'][number];

export type FlashEvent =
  | { readonly type: 'stage'; readonly stage: WriteStage }
  /** Current step of a connection, from the family's own list. */
  | { readonly type: 'step'; readonly step: string }
  | { readonly type: 'write'; readonly event: WriteEvent }
  /** Progress of a read or an erase, in bytes. */
  | { readonly type: 'work'; readonly done: number; readonly total: number }
  /** The contents of the board were read again after a write. */
  | { readonly type: 'looked'; readonly board: BoardFacts }
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
