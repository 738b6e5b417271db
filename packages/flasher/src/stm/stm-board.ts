/**
 * Interface of one STM32 over UART (AN3155) or USB (AN3156): erase, write, verify, start. Types only;
 * `connect-stm.ts` and `connect-stm-usb.ts` create one.
 */
import type { Clock } from '@wirebench/clock';
import type { WorkOptions, WriteEvent, WriteReport } from '../core/board.ts';
import type { FlashRange, FlashRegion } from '../core/region.ts';
import type { StmFamilyName } from './parts/families.ts';
import type { StmModel } from './parts/model.ts';

export type StmConnectStep = 'opening' | 'resetting' | 'synchronising' | 'identifying' | 'ready';

/** Wiring of the adapter's control lines. `an3155/entry.ts` has the usual ones. */
export interface StmEntry {
  /** `manual`: a person sets BOOT0 and presses reset; the lines are not used. */
  readonly kind: 'manual' | 'lines';
  /** Line at NRST. The other line is at BOOT0. */
  readonly reset: 'dtr' | 'rts';
  /** False: asserting the line makes NRST low. */
  readonly resetInverted: boolean;
  /** False: asserting the line makes BOOT0 high. */
  readonly boot0Inverted: boolean;
}

interface StmConnectBasics {
  readonly clock: Clock;
  /** Aborting ends the current work at once; it rejects with the code `cancelled`. */
  readonly signal?: AbortSignal;
  /**
   * Unique ID of the expected board. Any other is refused with `other-board`; a board without a readable ID is
   * accepted.
   */
  readonly expectedUniqueId?: string;
  readonly onStep?: (step: StmConnectStep) => void;
}

export interface StmConnectOptions extends StmConnectBasics {
  /**
   * 1,200 to 921,600; default 115,200. The bootloader measures it from the first byte. If it does not answer at a
   * higher rate and its reset line is wired, 115,200 is tried too. `StmBoard.baudRate` has the result.
   */
  readonly baudRate?: number;
  readonly entry: StmEntry;
}

export interface StmUsbOptions extends StmConnectBasics {
  /** Aborts when the system reports that the device was unplugged (`disconnect` of `navigator.usb`). */
  readonly gone?: AbortSignal;
}

interface StmOptionField {
  readonly name: string;
  readonly value: string;
  readonly meaning: string;
}

export interface StmOptionBytes extends FlashRange {
  readonly bytes: Uint8Array;
  /** Decoded fields; empty if the option bytes are not documented here. */
  readonly fields: readonly StmOptionField[];
}

export interface StmInfo {
  readonly link: 'uart' | 'usb';
  /** From GetID (0x413); null if the USB bootloader does not report it. */
  readonly productId: number | null;
  /** For example `STM32F405/407/415/417`; `STM32 (0x999)` for an unknown part. */
  readonly name: string;
  /** For example `F4`; null if unknown, as on USB if several families look alike. */
  readonly family: StmFamilyName | null;
  /** Model in releases, such as `stm32f`; null if unknown. */
  readonly model: StmModel | null;
  /** For example `3.1`; on USB the device release, such as `22.00`. */
  readonly bootloaderVersion: string;
  /** In bytes; null if it cannot be read. */
  readonly flashSize: number | null;
  /** Sectors in the order of addresses, from 0x08000000. If `flashSize` is null, those of the largest such part. */
  readonly sectors: readonly FlashRange[];
  /** Value of erased flash: 0xFF, or 0x00 on L0 and L1. */
  readonly erasedValue: number;
  /** `read-protected`: reads are refused. `unknown`: the bootloader cannot be asked without harm. */
  readonly protection: 'none' | 'read-protected' | 'unknown';
  readonly optionBytes: StmOptionBytes | null;
  /** 96 bits as 24 upper-case hexadecimal digits; null if it cannot be read. */
  readonly uniqueId: string | null;
}

export interface StmWriteOptions {
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: WriteEvent) => void;
  /** Model that the firmware was built for. Any other is refused with `wrong-chip` before anything is erased. */
  readonly model?: StmModel;
}

export interface StmWriteReport extends WriteReport {
  /** Ranges that shared a sector with a region, and were read and written back. Empty flash is not listed. */
  readonly kept: readonly FlashRange[];
}

/**
 * A connected board. One call at a time: a second call while the first runs, and any call after `restart` or a
 * removed protection, rejects with an InvalidStateError. Every method rejects with an `StmError`.
 */
export interface StmBoard {
  readonly info: StmInfo;
  /** In baud; null on USB. */
  readonly baudRate: number | null;
  /** Aborts when the board is gone or closed. */
  readonly over: AbortSignal;
  /** Reads any memory that the bootloader can read. */
  read(range: FlashRange, options?: WorkOptions): Promise<Uint8Array>;
  /** Erases the sectors that `ranges` touch; null erases everything. Progress is in bytes of sectors. */
  erase(ranges: readonly FlashRange[] | null, options?: WorkOptions): Promise<void>;
  /**
   * Compares, erases the sectors that differ, writes, and verifies by reading back or by checksum. Ranges that share
   * a sector with a region are read before the erase and written back. Impossible writes are refused before anything
   * is erased. After a fault, connect the same board again and repeat the call with the error's `unrestored` regions
   * added: it writes only the rest.
   */
  write(regions: readonly FlashRegion[], options?: StmWriteOptions): Promise<StmWriteReport>;
  /**
   * Erases the whole chip, the only way back from read protection level 1. The part resets, so connect again
   * afterwards.
   *
   * @throws InvalidStateError if there is no such protection.
   */
  removeReadProtection(options?: WorkOptions): Promise<void>;
  /**
   * Makes every sector writable without erasing anything. The part resets, so connect again afterwards.
   *
   * @throws InvalidStateError if the bootloader does not support it (USB).
   */
  removeWriteProtection(options?: WorkOptions): Promise<void>;
  /**
   * Starts the program at `address`, by Go or by leaving DFU mode. Without an address it uses the reset line with
   * BOOT0 low, if that is wired.
   */
  restart(address?: number): Promise<void>;
  /** Closes the port. The board stays in its bootloader unless it was restarted. Never rejects. */
  close(): Promise<void>;
}
