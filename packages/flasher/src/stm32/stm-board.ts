/**
 * The client of one STM32, as a page or a program sees it, over UART (AN3155) or USB (AN3156): connect, look, erase, write, verify,
 * start. Types only; `connect-stm.ts` and `connect-stm-usb.ts` make one.
 */
import type { Clock } from '@wirebench/clock';
import type { WorkOptions, WriteEvent, WriteReport } from '../core/board.ts';
import type { FlashRange, FlashRegion } from '../core/region.ts';
import type { StmFamilyName } from './parts/families.ts';
import type { StmModel } from './parts/model.ts';

export type StmConnectStep = 'opening' | 'resetting' | 'synchronising' | 'identifying' | 'ready';

/** What the control lines of the adapter are wired to. `an3155/entry.ts` has the usual ways. */
export interface StmEntry {
  /** `manual`: nobody touches the lines, a person has set BOOT0 and pressed reset. */
  readonly kind: 'manual' | 'lines';
  /** The line at NRST; the other one is at BOOT0. */
  readonly reset: 'dtr' | 'rts';
  /** False: the line being asserted makes NRST low. */
  readonly resetInverted: boolean;
  /** False: the line being asserted makes BOOT0 high. */
  readonly boot0Inverted: boolean;
}

interface StmConnectBasics {
  readonly clock: Clock;
  /** Aborting ends at once whatever goes on, and rejects with the code `cancelled`. */
  readonly signal?: AbortSignal;
  /** Unique id of the board that was being written: any other is refused with `other-board`. A board that does not tell may be it. */
  readonly expectedUniqueId?: string;
  readonly onStep?: (step: StmConnectStep) => void;
}

export interface StmConnectOptions extends StmConnectBasics {
  /**
   * 1,200 to 921,600; 115,200 when left out. The bootloader measures it from the first byte. One that does not answer at a higher rate
   * is asked at 115,200 too, where its reset line is wired: `StmBoard.baudRate` tells.
   */
  readonly baudRate?: number;
  readonly entry: StmEntry;
}

export interface StmUsbOptions extends StmConnectBasics {
  /** Aborts when the system tells that the device was unplugged (`disconnect` of `navigator.usb`). */
  readonly gone?: AbortSignal;
}

interface StmOptionField {
  readonly name: string;
  readonly value: string;
  readonly meaning: string;
}

export interface StmOptionBytes extends FlashRange {
  readonly bytes: Uint8Array;
  /** What they say, one line a field; empty where they are not documented here. */
  readonly fields: readonly StmOptionField[];
}

export interface StmInfo {
  readonly link: 'uart' | 'usb';
  /** From GetID (0x413); null where the USB bootloader does not tell. */
  readonly productId: number | null;
  /** `STM32F405/407/415/417`; 'STM32 (0x999)' for one that no table knows. */
  readonly name: string;
  /** `F4`; null when unknown, as on USB where several families look alike. */
  readonly family: StmFamilyName | null;
  /** As releases name it, `stm32f`; null when unknown. */
  readonly model: StmModel | null;
  /** `3.1`; on USB the release that the device gives itself, `22.00`. */
  readonly bootloaderVersion: string;
  /** Bytes; null when it cannot be read. */
  readonly flashSize: number | null;
  /** Erasable stretches in the order of addresses, from 0x08000000. Of the largest such part when `flashSize` is null. */
  readonly sectors: readonly FlashRange[];
  /** What erased flash reads as: 0xFF, on L0 and L1 0x00. */
  readonly erasedValue: number;
  /** Whether reading is refused. `unknown` where the bootloader cannot be asked without harm. */
  readonly protection: 'none' | 'read-protected' | 'unknown';
  readonly optionBytes: StmOptionBytes | null;
  /** 96 bits, 24 upper-case hexadecimal digits; null when it cannot be read. */
  readonly uniqueId: string | null;
}

export interface StmWriteOptions {
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: WriteEvent) => void;
  /** What the firmware was built for: any other is refused with `wrong-chip` before anything is erased. */
  readonly model?: StmModel;
}

export interface StmWriteReport extends WriteReport {
  /** What shared a sector with a region, was read, and written back. What was empty is not among it. */
  readonly kept: readonly FlashRange[];
}

/**
 * A connected board. One call at a time: a second one while the first runs, and any after `restart` or a removed protection,
 * rejects with an InvalidStateError. Every method rejects with an `StmError`.
 */
export interface StmBoard {
  readonly info: StmInfo;
  /** In baud; null on USB. */
  readonly baudRate: number | null;
  /** Aborts when the board is gone, or closed. */
  readonly over: AbortSignal;
  /** Any memory that the bootloader lets read. */
  read(range: FlashRange, options?: WorkOptions): Promise<Uint8Array>;
  /** Erases the sectors that `ranges` touch; null erases everything. Progress is in bytes of sectors. */
  erase(ranges: readonly FlashRange[] | null, options?: WorkOptions): Promise<void>;
  /**
   * Compares, erases the sectors that differ, writes, verifies by reading back or by checksum. What shares a sector with a region is
   * kept: read before the erase, written back after it. Refuses what cannot go well before anything is erased. After a fault the
   * same call, on the same board connected again, writes only what is left; what the error has as `unrestored` goes with it.
   */
  write(regions: readonly FlashRegion[], options?: StmWriteOptions): Promise<StmWriteReport>;
  /**
   * Erases the whole chip: the only way back from read protection level 1. The part resets; connect again after it. Rejects with an
   * InvalidStateError where there is no such protection.
   */
  removeReadProtection(options?: WorkOptions): Promise<void>;
  /**
   * Lets every sector be written again; nothing is erased. The part resets; connect again after it. Rejects with an
   * InvalidStateError where the bootloader cannot (USB).
   */
  removeWriteProtection(options?: WorkOptions): Promise<void>;
  /** Starts the program at `address`, by Go or by leaving DFU mode; without one by the reset line with BOOT0 let go, where it is wired. */
  restart(address?: number): Promise<void>;
  /** Lets go of the port. The board stays in its bootloader unless it was restarted. Never rejects. */
  close(): Promise<void>;
}
