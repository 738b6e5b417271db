/**
 * Interface between the worker and a family of chips. The worker handles ports, calls, lines of the log and
 * cancelling. A family handles its chips, its plan and its protocol.
 */
import type { Clock } from '@wirebench/clock';
import type { FlashRange, WriteEvent, WriteReport, WriteStage } from '@wirebench/flasher/core';
import type { UsbDevice } from '@wirebench/flasher/stm32';
import type { PortNumber } from '@wirebench/serial';
import type {
  ChosenFiles,
  ConnectRequest,
  FamilyTypes,
  FileId,
  FileSet,
  GivenFile,
  PlanFacts,
  PlannedPart,
  PlanRequest,
} from '../../protocol/flash-protocol.ts';
import type { Likeness } from '../bench/port-devices.ts';
import type { Line } from './flash-lines.ts';

/** Dependencies that a family receives. */
export interface FamilyParts {
  readonly clock: Clock;
}

/** The worker's part of a family, created once for each page that opens its flasher. */
export interface WorkerFamily<Family extends FamilyTypes> {
  /** Decides whether a board that vanished has come back as this one. Missing: only with the same USB ids. */
  readonly returnsAs?: Likeness;
  /** Longest time for its boards to come back after a restart, in milliseconds. Missing: the worker's default. */
  readonly returnLimit?: number;
  /** Adds files to those of the set, and places all of them. */
  addFiles(given: readonly GivenFile[], set?: FileSet): Promise<ChosenFiles>;
  removeFiles(ids: readonly FileId[], set?: FileSet): ChosenFiles;
  /**
   * Brings the board into its bootloader and identifies it. Rejects with a `FlashError` after it has released the
   * port.
   */
  connect(request: ConnectRequest<Family['settings']>, context: ConnectContext): Promise<WorkerBoard<Family>>;
  /** Works like `connect`, for boards whose bootloader is a USB device and not a serial port. */
  readonly connectUsb?: (
    request: ConnectRequest<Family['settings']>,
    context: UsbContext,
  ) => Promise<WorkerBoard<Family>>;
}

export interface BasicContext {
  readonly signal: AbortSignal;
  /** @param line Line for the log; null for no line. */
  readonly onStep: (step: string, line: Line | null) => void;
  readonly say: (line: Line) => void;
  /** Receives bytes that the board prints outside the protocol. */
  readonly onText: (bytes: Uint8Array) => void;
}

interface PortContext extends BasicContext {
  readonly port: PortNumber;
  /** True: the page connects the last board of this port again. False: any board may be behind the port. */
  readonly isSame: boolean;
  readonly isDemo: boolean;
}

export interface ConnectContext extends PortContext {
  /** The port's device at present. */
  readonly device: SerialPort;
  /** Resolves with the new object once the same board is back. */
  readonly returned: (signal: AbortSignal) => Promise<SerialPort>;
}

interface UsbContext extends PortContext {
  readonly device: UsbDevice;
  /** Aborts when the device is unplugged. */
  readonly gone: AbortSignal;
}

/** A board in its bootloader. Performs one call at a time. Calls reject with a `FlashError`. */
export interface WorkerBoard<Family extends FamilyTypes> {
  /** Current facts. They change with an erase. */
  readonly facts: Family['board'];
  /** Aborts when the board is gone or closed. */
  readonly over: AbortSignal;
  /** True: the port vanishes when the board restarts, and comes back. */
  readonly vanishes: boolean;
  /** Names the place of a region in the log. Missing: by its address. */
  readonly placeName?: (offset: number) => string;
  /** Makes a plan, and keeps it for `write`. */
  plan(request: PlanRequest<Family['settings']>, signal: AbortSignal): Promise<PlanFacts>;
  /** Returns what the latest plan writes. Missing: files have no addresses. */
  parts?(): readonly PlannedPart[];
  /** Carries out the latest plan. Rejects with `write-failed` without a plan. */
  write(parts: CarryOut): Promise<WriteReport>;
  /** Log text that states how read bytes were verified: `MD5 matches`. */
  readonly readProof: string;
  read(range: FlashRange, work: BoardWork): Promise<Uint8Array>;
  /** Erases whole sectors; null erases all of the flash. Afterwards `facts` describe the new contents. */
  erase(range: FlashRange | null, work: BoardWork): Promise<void>;
  /** True: actions read secrets, such as keys in eFuses, so that guests of a shared bench do not see their bytes. */
  readonly hidesActions?: true;
  /** Resolves with true if the board is still connected, and with false if it must be connected again. */
  perform(action: Family['action'], work: BoardWork): Promise<boolean>;
  restart(): Promise<void>;
  /** Never rejects. */
  close(): Promise<void>;
}

export interface BoardWork {
  readonly signal: AbortSignal;
  /** Reports the bytes that are done. */
  readonly onProgress: (done: number, total: number) => void;
}

export interface CarryOut {
  readonly signal: AbortSignal;
  /** Performs a part whose bytes guests of a shared bench do not see, because they may contain passwords. */
  readonly unseen: <Result>(act: () => Promise<Result>) => Promise<Result>;
  readonly onStage: (stage: WriteStage) => void;
  readonly onEvent: (event: WriteEvent) => void;
}
