/**
 * Interface between a family of chips and the programs that flash with it: the flasher's worker, the flash button and
 * `wirebench`. Each family implements it once, in its `family.ts`. A caller takes the family of a chosen board, reads files with `files`,
 * connects, plans, writes and restarts. Types only.
 */
import type { FamilyId } from '@wirebench/boards';
import type { Clock } from '@wirebench/clock';
import type { WriteEvent, WriteReport, WriteStage } from './core/board.ts';
import type { BoardChange } from './core/board-change.ts';
import type { FailureText } from './core/flash-failure.ts';
import type { FlashRange } from './core/region.ts';
import type { BoardPlace, SavedFile } from './core/unrestored.ts';
import type { BoardDescription, PlanFacts, PlannedBytes } from './family-values.ts';
import type { ReturnedPort } from './returned-port.ts';
import type { DriveFile, DriveFolder, DriveFolders, DriveWriter } from './rp/drive/drive-folder.ts';
import type { UsbDevice, UsbDevices } from './usb-device.ts';

export type { DriveFile, DriveFolder, DriveFolders, DriveWriter, ReturnedPort, SavedFile, UsbDevice, UsbDevices };

/** Types that a family supplies. */
export interface FamilyTypes<Id extends string = FamilyId> {
  readonly facts: BoardDescription<Id>;
  readonly settings: { readonly family: Id };
  /** A file as the family's plans take it. */
  readonly file: object;
  /** Names of actions beside writing, reading and erasing; `never` without any. */
  readonly action: string;
  /** Events that a person should know about although the work continues; `never` without any. */
  readonly notice: object;
}

/** Created once by each page that flashes. Remembers what an interrupted write has left at which board. */
export interface Family<Types extends FamilyTypes = FamilyTypes> {
  /** Sentences for the codes of its `FlashError`s: what happened, and what to do. */
  readonly failures: Readonly<Record<string, FailureText>>;
  /** Name of `BoardDescription.id`: `MAC`. */
  readonly idName: string;
  /** True: a person can start the bootloader, and the board is then connected with `byHand`. */
  readonly startsByHand: boolean;
  /** Longest time for a board to come back after a restart, in milliseconds. */
  readonly returnLimit: number;
  /** Decides whether a board that vanished has come back as this one. Missing: only with the same USB ids. */
  readonly returnsAs?: (before: SerialPortInfo, now: SerialPortInfo) => boolean;
  /**
   * Reads the files of one build of a release.
   *
   * @throws FileFault for a file that cannot be written to boards of this family.
   */
  readFiles(files: readonly ReleaseFile[]): Promise<readonly Types['file'][]>;
  /** Settings for writing a release, which a person does not see. True: everything is erased first. */
  releaseSettings(eraseAll: boolean): Types['settings'];
  /**
   * Brings the board at a port into its bootloader and identifies it.
   *
   * @throws FlashError; the port is closed then.
   */
  connect(port: SerialPort, options: ConnectOptions<Types>): Promise<FamilyBoard<Types>>;
  /** Works like `connect`, for boards whose bootloader is a USB device. `gone` aborts when it is unplugged. */
  connectUsb?(device: UsbDevice, gone: AbortSignal, options: ConnectOptions<Types>): Promise<FamilyBoard<Types>>;
  /**
   * Takes the drive of a board in its boot ROM, as a folder that a person has chosen. A folder that is no such drive is
   * refused before anything is written. Missing: boards of this family have no drive.
   *
   * @throws FlashError.
   */
  connectDrive?(folder: DriveFolder, options: ConnectOptions<Types>): Promise<FamilyBoard<Types>>;
}

/** A file of a release. */
export interface ReleaseFile {
  readonly name: string;
  /** Flash address in bytes, as the release states it. Formats with their own addresses ignore it. */
  readonly offset: number;
  readonly bytes: Uint8Array;
}

export interface ConnectOptions<Types extends FamilyTypes> extends Pick<BoardPlace, 'place' | 'isSame'> {
  readonly clock: Clock;
  /** Aborting ends the connection; it rejects with `cancelled`. */
  readonly signal: AbortSignal;
  readonly settings: Types['settings'];
  /** In baud; null for the family's default. */
  readonly baudRate: number | null;
  /** True: a person has put the board into its bootloader, so the control lines are not used. */
  readonly byHand: boolean;
  /** Id of the board that was being written. Any other is refused with `other-board`. Null accepts any. */
  readonly expectedId: string | null;
  /** True: a simulated board, the only kind for demo firmware. */
  readonly isDemo: boolean;
  /** False: use the chip's ROM alone, without a stub (Espressif). Missing: true. */
  readonly stub?: boolean;
  /** True: a connection that fails starts the program again, if it can. Missing: the board may stay in its bootloader. */
  readonly bringsBack?: true;
  /** Longest wait in milliseconds for a person to press a button of the board; 0: none is there. Missing: as usual. */
  readonly personWait?: number;
  /** Looks further into the flash than a plan needs (Espressif). Missing: connecting is faster. */
  readonly inspection?: Inspection;
  /** USB devices, for boards whose bootloader is one and whose program has a port. Missing: none can be used. */
  readonly usb?: UsbDevices;
  /** Mounted drives, for boards that a program without access to USB devices writes through their drive. */
  readonly drives?: DriveFolders;
  /** Finds the port of the same board, which vanished at a restart and came back. */
  readonly returned: ReturnedPort;
  readonly onStep: (step: ConnectStep) => void;
  /** Called once the bootloader has answered, before anything is read from the flash. */
  onIdentified?(board: Pick<Types['facts'], 'info' | 'baudRate'>): void;
  onNotice?(notice: Types['notice']): void;
  /** Receives bytes that the board prints outside the protocol. */
  readonly onText?: (bytes: Uint8Array) => void;
}

/** Recognises contents of a board that only a list of them names. */
export interface Inspection {
  /** Number of bytes at the start of a partition that `isCoreDump` needs. */
  readonly coreHeadSize: number;
  /** @param room Size of the partition in bytes. */
  readonly isCoreDump: (head: Uint8Array, room: number) => boolean;
}

export interface ConnectStep {
  /** From the family's own list; `ready` is the last one. */
  readonly name: string;
  /** Words without full stop. */
  readonly text: string;
  /** True: a person has to act now, as the words say. */
  readonly asksPerson?: boolean;
}

/** A board in its bootloader. Performs one call at a time. Calls reject with a `FlashError`. */
export interface FamilyBoard<Types extends FamilyTypes = FamilyTypes> {
  /** Current facts. They change with an erase, an action, and with `look`. */
  readonly facts: Types['facts'];
  /** False: only what is written is erased. */
  readonly canEraseAll: boolean;
  /** Step in bytes in which a range of its flash is read and erased; null if its bootloader can do neither. */
  readonly rangeStep: number | null;
  /** Aborts when the board is gone or closed. */
  readonly over: AbortSignal;
  /** True: the port vanishes when the board restarts, and comes back. */
  readonly vanishes: boolean;
  /** Compares files with the board, and keeps the plan for `write`. Changes nothing. */
  plan(request: PlanRequest<Types>, signal: AbortSignal): Promise<PlanFacts>;
  /** Carries out the latest plan. Rejects with `write-failed` without a plan, and with one that was refused. */
  write(options: WriteOptions): Promise<WriteReport>;
  read(range: FlashRange, work: BoardWork): Promise<Uint8Array>;
  /** Parts of its memory that are saved as files of their own. Missing: all of the flash as one binary. */
  readonly backups?: readonly BoardBackup[];
  /** Returns the range that an erase of `range` takes: whole sectors. Missing: the range itself. */
  erasedWith?(range: FlashRange): FlashRange;
  /** Erases whole sectors; null erases all of the flash. Afterwards `facts` describe the new contents. */
  erase(range: FlashRange | null, work: BoardWork): Promise<void>;
  /**
   * Lock of the flash that an action removes, with everything that the flash holds. Null or missing: none.
   * `what` and `remedy` are the words for a person who has to agree.
   */
  readonly lock?: FlashLock<Types> | null;
  /** Resolves with false if the board has reset and must be connected again. */
  perform(action: Types['action'], work: BoardWork): Promise<boolean>;
  /** Starts the program. */
  restart(): Promise<void>;
  /** True: `onText` receives the program's output from a restart on, until the board is closed. Missing: it does not. */
  readonly hearsProgram?: boolean;
  /** Releases the port. Never rejects. */
  close(): Promise<void>;
  /** Reads again what `facts` say of the flash. Missing: they stay those of the connection. */
  look?(signal: AbortSignal): Promise<void>;
  /** Returns what the latest plan leaves in flash, in stretches. Missing: nothing on the board is shown by its bytes. */
  parts?(): readonly PlannedBytes[];
  /** Names the place of a region. Missing: by its address. */
  placeName?(offset: number): string;
  /**
   * Returns data of the board that exists only in memory: files that the latest plan takes, and what an interrupted write
   * was to put back. Missing: the family reads nothing of the kind.
   */
  savedFiles?(): readonly SavedFile[];
}

/** A part of a board's memory as a file that a plan of its family takes back. */
export interface BoardBackup {
  /** End of the file's name. */
  readonly suffix: string;
  readonly range: FlashRange;
  /** Says that there is nothing to save, without full stop. */
  readonly emptyText: string;
  /** Returns the content of the file; null if there is nothing to save. */
  readonly fileOf: (bytes: Uint8Array) => string | null;
}

/** Lock of a board's flash. Removing it erases everything. */
export interface FlashLock<Types extends FamilyTypes = FamilyTypes> extends FailureText {
  /** Code of the refusal of a plan for such a board. */
  readonly code: string;
  readonly action: Types['action'];
}

export interface PlanRequest<Types extends FamilyTypes> {
  /** The only files, or all of one build. */
  readonly files: readonly Types['file'][];
  readonly settings: Types['settings'];
  /** Requirements of a release for its boards; null for files without a release. */
  readonly guard: ReleaseGuard | null;
  /** Codes of the refusals that a person has overridden. */
  readonly overrides?: readonly string[];
  /** Changes to the contents of this board's flash, written after the files. Missing: none. */
  readonly changes?: readonly BoardChange[];
}

export interface ReleaseGuard {
  /** Chip, series or board, as in releases; null for any. */
  readonly model: string | null;
  /** Least flash in bytes. Missing or null: any. */
  readonly flashSize?: number | null;
  /** True: for demo devices only. */
  readonly demo: boolean;
}

export interface WriteOptions {
  readonly signal: AbortSignal;
  /**
   * Brings data of the board to where it outlives this program, and is awaited before the first byte is erased. Its
   * rejection ends the write with the board unchanged. Missing: a plan with `PlanFacts.saved` is not carried out.
   */
  readonly save?: ((files: readonly SavedFile[]) => Promise<void>) | undefined;
  /** Performs a part whose bytes may contain passwords. Missing: like every other part. */
  readonly unseen?: <Result>(act: () => Promise<Result>) => Promise<Result>;
  readonly onStage: (stage: WriteStage) => void;
  readonly onEvent: (event: WriteEvent) => void;
}

export interface BoardWork {
  readonly signal: AbortSignal;
  /** Reports the bytes that are done. */
  readonly onProgress: (done: number, total: number) => void;
}
