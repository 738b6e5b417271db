/**
 * Interface of one AVR in its bootloader: erase, write, verify, start. Types only; `connect/connect-avr.ts` creates
 * one and finds out which bootloader answers.
 */
import type { Clock } from '@wirebench/clock';
import type { WorkOptions, WriteEvent, WriteReport } from '../core/board.ts';
import type { FlashRange, FlashRegion } from '../core/region.ts';
import type { AvrModel } from './parts/part-table.ts';

/** Protocol of the bootloader: AVR061, AVR068 or AVR109. */
export type AvrProtocol = 'stk500v1' | 'stk500v2' | 'avr109';

export type AvrBootloader = 'optiboot' | 'atmegaboot' | 'stk500boot' | 'caterina' | 'unknown';

/** `press-reset`: a person has to press the board's reset button now. */
export type AvrConnectStep =
  | 'opening'
  | 'touching'
  | 'waiting-for-bootloader'
  | 'resetting'
  | 'synchronising'
  | 'press-reset'
  | 'identifying'
  | 'ready';

export interface AvrConnectOptions {
  readonly clock: Clock;
  /** Aborting ends the current work at once; it rejects with the code `cancelled`. */
  readonly signal?: AbortSignal;
  /** The only rate to ask at, in baud. Default: 115,200, then 57,600. Ignored on the chip's own USB. */
  readonly baudRate?: number;
  /** False: DTR and RTS do not reset the board. Default true. */
  readonly autoReset?: boolean;
  /** Milliseconds during which a person may press reset, if the lines do not reset the board. Default 20,000. */
  readonly resetWindow?: number;
  /**
   * True: enter the bootloader by opening at 1,200 baud; the board comes back as another port. Default: true if the
   * port belongs to the sketch of a board with its own USB.
   */
  readonly touch?: boolean;
  /**
   * For a board on its own USB that vanishes at a restart: resolves with its new port. Without it, or after a timeout,
   * the work fails with `came-back-different`.
   */
  readonly returned?: (signal: AbortSignal) => Promise<SerialPort>;
  readonly onStep?: (step: AvrConnectStep) => void;
}

/** Fuse and lock bytes; null for a byte that the bootloader does not read. */
export interface AvrFuses {
  readonly low: number | null;
  readonly high: number | null;
  readonly extended: number | null;
  readonly lock: number | null;
}

export interface AvrInfo {
  readonly link: 'uart' | 'usb';
  readonly protocol: AvrProtocol;
  readonly bootloader: AvrBootloader;
  /** Name for people: `optiboot`, `ATmegaBOOT`, `stk500boot_v2`, `Caterina`, or what it calls itself. */
  readonly bootloaderName: string;
  /** For example `4.4`; null if it does not tell. */
  readonly bootloaderVersion: string | null;
  /** True: it answered at 57,600 baud alone, as the bootloader of older Nanos does. */
  readonly isOldBootloader: boolean;
  /** For example `0x1E950F`. */
  readonly signature: string;
  /** For example `ATmega328P`; `AVR (0x1E9999)` for an unknown part. */
  readonly part: string;
  /** Model in releases, such as `atmega328p`; null if unknown. */
  readonly model: AvrModel | null;
  /** In bytes; 0 for an unknown part. */
  readonly flashSize: number;
  readonly pageSize: number;
  /** Flash that a sketch may use. Empty for an unknown part. */
  readonly application: FlashRange;
  /** Flash of the bootloader, which is never written; null for an unknown part. */
  readonly bootloaderRange: FlashRange | null;
  /** `fuse`: size of the boot section from the fuses. `usual`: size that this bootloader has on this part. */
  readonly bootloaderRangeFrom: 'fuse' | 'usual';
  /** In bytes; 0 for an unknown part. */
  readonly eepromSize: number;
  /** True: the bootloader reads and writes EEPROM. Older optiboots would write flash instead. */
  readonly hasEeprom: boolean;
  /** Null if the bootloader reads none. */
  readonly fuses: AvrFuses | null;
  /** True: a write has to begin at address 0, because the bootloader erases the pages in order. */
  readonly writesInOrder: boolean;
  /** Way into the bootloader. `already`: it answered without a reset. */
  readonly entered: 'already' | 'lines' | 'by-hand' | 'touch';
}

export interface AvrWriteOptions {
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: WriteEvent) => void;
  /** Model that the firmware was built for. Any other is refused with `wrong-chip` before anything is erased. */
  readonly model?: AvrModel;
  /** Contents for EEPROM. Offsets are from its start. Written after the flash; the rest of the EEPROM is kept. */
  readonly eeprom?: readonly FlashRegion[];
}

export interface AvrWriteReport extends WriteReport {
  /** Flash beside the regions that was read, erased and written back, because it shares pages with them. */
  readonly kept: readonly FlashRange[];
  /** Outcome for each region of EEPROM. */
  readonly eeprom: WriteReport['regions'];
}

/**
 * A connected board. One call at a time: a second call while the first runs, and any call after `restart`, rejects
 * with an InvalidStateError. Every method rejects with an `AvrError`. Between calls the bootloader is kept awake.
 */
export interface AvrBoard {
  readonly info: AvrInfo;
  /** In baud; null on the chip's own USB. */
  readonly baudRate: number | null;
  /** Aborts when the board is gone or closed. */
  readonly over: AbortSignal;
  /** Reads flash, with the bootloader if `range` covers it. */
  read(range: FlashRange, options?: WorkOptions): Promise<Uint8Array>;
  /** @throws AvrError `eeprom-unsupported` if the bootloader reads none. */
  readEeprom(range: FlashRange, options?: WorkOptions): Promise<Uint8Array>;
  /** Erases the pages that `ranges` touch by writing 0xFF; null erases all but the bootloader. EEPROM is kept. */
  erase(ranges: readonly FlashRange[] | null, options?: WorkOptions): Promise<void>;
  /**
   * Compares by reading, writes the pages that differ, and verifies by reading back. Bytes that share a page with a
   * region are kept. Impossible writes are refused before anything is erased. After a fault, connect the same board
   * again and repeat the call: it writes only the rest. The state `damaged`: STK500 v1 has no checksum, and a damaged
   * address on the wire made the bootloader write another page.
   */
  write(regions: readonly FlashRegion[], options?: AvrWriteOptions): Promise<AvrWriteReport>;
  /** Starts the sketch. A board on its own USB comes back as another port. */
  restart(): Promise<void>;
  /** Closes the port. Never rejects. */
  close(): Promise<void>;
}
