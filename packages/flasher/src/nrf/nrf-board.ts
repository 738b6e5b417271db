/**
 * Interface of one Nordic board in one of its three bootloaders. Types only; `connect-nrf.ts` creates one and
 * finds out which bootloader answers.
 */
import type { Clock } from '@wirebench/clock';
import type { WriteEvent, WriteReport } from '../core/board.ts';
import type { NrfLink } from './connect/nrf-port.ts';
import type { NrfFirmware } from './package/nrf-firmware.ts';

export type NrfBootloader = 'secure-dfu' | 'adafruit-dfu' | 'mcuboot';

export type NrfConnectStep = 'opening' | 'touching' | 'waiting-for-bootloader' | 'asking' | 'ready';

export interface NrfConnectOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** Default 115,200; ignored on USB. */
  readonly baudRate?: number;
  /** The only bootloader to ask for. Default: all in turn. */
  readonly bootloader?: NrfBootloader;
  /**
   * True: enter the bootloader by opening at 1,200 baud (Adafruit bootloaders); the board comes back as another port.
   * Over a UART bridge it is a pulse on DTR, after no bootloader has answered. Default: true if the port belongs to
   * an application of an Adafruit board.
   */
  readonly touch?: boolean;
  /**
   * For a board on its own USB port that vanishes at a restart and comes back as another port: resolves with that
   * port. Called at every restart, also during a write. Without it, or after a timeout, the work fails with
   * `came-back-different`.
   */
  readonly returned?: (signal: AbortSignal) => Promise<SerialPort>;
  readonly onStep?: (step: NrfConnectStep) => void;
  /** Receives the board's output outside of the protocol, as raw bytes. */
  readonly onText?: (bytes: Uint8Array) => void;
}

/** An image that the board reports. */
export interface NrfSlot {
  /** `application`, `bootloader`, `softdevice`, `slot 0`, `slot 1`; with several images `image 1, slot 0`. */
  readonly name: string;
  readonly version: string;
  /** Lower-case hexadecimal; null if the board does not report it. */
  readonly hash: string | null;
  /** Flags among `active`, `confirmed`, `pending`, `permanent`. */
  readonly state: readonly string[];
  /** MCUboot: image number of a multi-image device; otherwise 0. */
  readonly imageNumber: number;
  /** Position in flash in bytes; null if the board does not report it. */
  readonly address: number | null;
  readonly length: number | null;
}

export interface NrfInfo {
  readonly bootloader: NrfBootloader;
  readonly link: NrfLink;
  /** For example `nRF52840`, from the hardware command; null if the board does not report it. */
  readonly part: string | null;
  /** In bytes; null if the board does not report it. */
  readonly flashSize: number | null;
  readonly ramSize: number | null;
  readonly slots: readonly NrfSlot[];
  /** Largest size of an image in bytes; null if the board does not report it. */
  readonly room: number | null;
  /** MCUboot: true if an image can be started once before it is confirmed. */
  readonly canTest: boolean;
  /** State of an unfinished write that can be resumed; null if there is no such write. */
  readonly unfinished: { readonly offset: number; readonly crc: number } | null;
}

export interface NrfWriteOptions {
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: WriteEvent) => void;
  /**
   * For MCUboot images in the second slot. `test`: start the image once and revert unless it confirms itself.
   * `confirm`: start it permanently. Default `test`.
   */
  readonly activate?: 'test' | 'confirm';
}

/**
 * A connected board. One call at a time: a second call while the first runs, and any call after `restart`, rejects
 * with an InvalidStateError. Every method rejects with a `NrfError`. After `unplugged` and `stopped-answering` the
 * board has to be closed.
 */
export interface NrfBoard {
  readonly info: NrfInfo;
  /** In baud; null on USB. */
  readonly baudRate: number | null;
  /**
   * Aborts when the board is gone or closed. A bootloader that starts the application after a write takes its USB
   * port with it. That aborts too, and is not a failure.
   */
  readonly over: AbortSignal;
  /**
   * Writes the images in order. Each image is one region of the report: its offset is its index, its length its size.
   * After a fault, connect the same board again and repeat the call: it resumes as far as the bootloader supports
   * that.
   */
  write(firmware: NrfFirmware, options?: NrfWriteOptions): Promise<WriteReport>;
  /** Lists the images of MCUboot again, for `info`. Other bootloaders list theirs only when they are connected. */
  look(signal?: AbortSignal): Promise<void>;
  /** Starts the application. The board may come back as another port. */
  restart(): Promise<void>;
  /** Closes the port. Never rejects. */
  close(): Promise<void>;
}
