/**
 * A family of chips, as the host needs it: its files, and the way to a board. The host knows ports, calls, lines of the log and
 * who cancels what; a family knows its chips, its plan and its protocol.
 */
import type { Clock } from '@wirebench/clock';
import type { FlashRange, WriteEvent, WriteReport } from '@wirebench/flasher/core';
import type { UsbDevice } from '@wirebench/flasher/stm32';
import type { Likeness } from '../../host/port-devices.ts';
import type {
  ChosenFiles,
  ConnectRequest,
  FamilyTypes,
  FileId,
  GivenFile,
  PlanFacts,
  PlanRequest,
  WriteStage,
} from '../flash-protocol.ts';
import type { Line } from './flash-lines.ts';

/** What a family is made with. */
export interface FamilyParts {
  readonly clock: Clock;
}

/** One for each page that opens a flasher of this family. */
export interface HostFamily<Family extends FamilyTypes> {
  /** Whether a board that vanished may be back as this one; left out: with the same USB ids alone. */
  readonly returnsAs?: Likeness;
  /** How long its boards may take to come back after a restart, in milliseconds; left out: as long as a chip needs to start. */
  readonly returnLimit?: number;
  /** Looks at the files, the ones given before included, and places them. */
  addFiles(given: readonly GivenFile[]): Promise<ChosenFiles>;
  removeFiles(ids: readonly FileId[]): ChosenFiles;
  /** Brings the board into its bootloader and looks at it. Rejects with a `FlashError`, and has released the port then. */
  connect(request: ConnectRequest<Family['settings']>, context: ConnectContext): Promise<HostBoard<Family>>;
  /** As `connect`, for a family whose boards have a bootloader on USB that is no serial port. */
  readonly connectUsb?: (
    request: ConnectRequest<Family['settings']>,
    context: UsbContext,
  ) => Promise<HostBoard<Family>>;
}

export interface BasicContext {
  readonly signal: AbortSignal;
  /** @param line what the log says of it; null for nothing */
  readonly onStep: (step: string, line: Line | null) => void;
  readonly say: (line: Line) => void;
  /** What the board prints outside of the protocol. */
  readonly onText: (bytes: Uint8Array) => void;
}

export interface ConnectContext extends BasicContext {
  /** The device of the port now. */
  readonly device: SerialPort;
  readonly isDemo: boolean;
  /** The same board once it is back as another object. */
  readonly returned: (signal: AbortSignal) => Promise<SerialPort>;
}

interface UsbContext extends BasicContext {
  readonly device: UsbDevice;
  readonly isDemo: boolean;
  /** Aborts when it is unplugged. */
  readonly gone: AbortSignal;
}

/** A board in its bootloader. One thing at a time; each rejects with a `FlashError`. */
export interface HostBoard<Family extends FamilyTypes> {
  /** As it is now. */
  readonly facts: Family['board'];
  /** Aborts when the board is gone, or closed. */
  readonly over: AbortSignal;
  /** Its port vanishes when it restarts, and comes back. */
  readonly vanishes: boolean;
  /** What the log calls the place of a region; left out: its address. */
  readonly placeName?: (offset: number) => string;
  /** The plan stays here, to be written. */
  plan(request: PlanRequest<Family['settings']>, signal: AbortSignal): Promise<PlanFacts>;
  /** Carries out the plan that was made last: `write-failed` without one. */
  write(parts: CarryOut): Promise<WriteReport>;
  /** How it was proven that what was read is what is in flash, in the log's words: `MD5 matches`. */
  readonly readProof: string;
  read(range: FlashRange, work: HostWork): Promise<Uint8Array>;
  /** Whole sectors; null for all of the flash. `facts` tell afterwards what is there. */
  erase(range: FlashRange | null, work: HostWork): Promise<void>;
  /** True when the board is still there, to be gone on with. */
  perform(action: Family['action'], work: HostWork): Promise<boolean>;
  restart(): Promise<void>;
  /** Never rejects. */
  close(): Promise<void>;
}

export interface HostWork {
  readonly signal: AbortSignal;
  /** Bytes done so far. */
  readonly onProgress: (done: number, total: number) => void;
}

export interface CarryOut {
  readonly signal: AbortSignal;
  readonly onStage: (stage: WriteStage) => void;
  readonly onEvent: (event: WriteEvent) => void;
}
