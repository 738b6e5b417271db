/**
 * The client of one Nordic board in one of its three bootloaders, as a page or a program sees it. Types only;
 * `connect-nordic.ts` makes one and finds out which bootloader answers.
 */
import type { Clock } from '@wirebench/clock';
import type { WriteEvent, WriteReport } from '../core/board.ts';
import type { NordicLink } from './connect/nordic-port.ts';
import type { NordicFirmware } from './package/nordic-firmware.ts';

export type NordicBootloader = 'secure-dfu' | 'adafruit-dfu' | 'mcuboot';

export type NordicConnectStep = 'opening' | 'touching' | 'waiting-for-bootloader' | 'asking' | 'ready';

export interface NordicConnectOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  /** 115,200 when left out; does not matter on USB. */
  readonly baudRate?: number;
  /** Only this one is asked for; each in turn when left out. */
  readonly bootloader?: NordicBootloader;
  /**
   * Enter by opening at 1,200 baud (Adafruit bootloaders); the port comes back as another. Left out: where the port says that an
   * application of an Adafruit board runs. Over a UART bridge this is a pulse on DTR, after nothing has answered.
   */
  readonly touch?: boolean;
  /**
   * Where a board on its own USB port vanishes at its restart and comes back as another port: resolves with that port, if this page
   * may use it. Asked at every restart, those in the middle of a write included. Without this, or when nothing comes back in
   * time, the work ends with `came-back-different`.
   */
  readonly returned?: (signal: AbortSignal) => Promise<SerialPort>;
  readonly onStep?: (step: NordicConnectStep) => void;
  /** What the board prints outside of the protocol. The bytes as they came. */
  readonly onText?: (bytes: Uint8Array) => void;
}

/** An image that the board says that it has. */
export interface NordicSlot {
  /** `application`, `bootloader`, `softdevice`, `slot 0`, `slot 1`; of several images `image 1, slot 0`. */
  readonly name: string;
  readonly version: string;
  /** Lower-case hexadecimal; null when it is not told. */
  readonly hash: string | null;
  /** `active`, `confirmed`, `pending`, `permanent`. */
  readonly state: readonly string[];
  /** MCUboot: which image of a multi-image device; 0 otherwise. */
  readonly imageNumber: number;
  /** In flash, in bytes; null when it is not told. */
  readonly address: number | null;
  readonly length: number | null;
}

export interface NordicInfo {
  readonly bootloader: NordicBootloader;
  readonly link: NordicLink;
  /** `nRF52840`, from the hardware command; null when it does not tell. */
  readonly part: string | null;
  /** Bytes; null when it does not tell. */
  readonly flashSize: number | null;
  readonly ramSize: number | null;
  readonly slots: readonly NordicSlot[];
  /** Bytes that an image can have at most, as far as the board tells; null when it does not. */
  readonly room: number | null;
  /** MCUboot: whether an image can be tried for one start before it is confirmed. */
  readonly canTest: boolean;
  /** What went before and can be gone on with: null when nothing. */
  readonly unfinished: { readonly offset: number; readonly crc: number } | null;
}

export interface NordicWriteOptions {
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: WriteEvent) => void;
  /**
   * MCUboot, where an image ends up in the second slot: start it once and go back unless it confirms itself, or for good.
   * `test` when left out.
   */
  readonly activate?: 'test' | 'confirm';
}

/**
 * A connected board. One call at a time: a second one while the first runs, and any after `restart`, rejects with an
 * InvalidStateError. Every method rejects with a `NordicError`; after `unplugged` and `stopped-answering` the board has to be closed.
 */
export interface NordicBoard {
  readonly info: NordicInfo;
  /** In baud; null on USB. */
  readonly baudRate: number | null;
  /**
   * Aborts when the board is gone, or closed. A bootloader that starts the application after a write takes its USB port with
   * it: that is over as well, and no failure.
   */
  readonly over: AbortSignal;
  /**
   * Each image of the firmware is one region of the report; its offset is its place in the order, its length its size. After a fault
   * the same call, on the same board connected again, goes on where it was, as far as the bootloader can.
   */
  write(firmware: NordicFirmware, options?: NordicWriteOptions): Promise<WriteReport>;
  /** Lets the application start. The port may come back as another. */
  restart(): Promise<void>;
  /** Lets go of the port. Never rejects. */
  close(): Promise<void>;
}
