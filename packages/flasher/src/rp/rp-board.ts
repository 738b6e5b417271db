/** Types of a connected RP2040 or RP2350 in BOOTSEL. */
import type { WorkOptions, WriteEvent, WriteReport } from '../core/board.ts';
import type { FlashRange, FlashRegion } from '../core/region.ts';
import type { RpChip, RpCpu, RpFlashUser, RpPartitions } from './files/index.ts';

export type RpConnectStep =
  | 'opening'
  | 'touching'
  | 'resetting'
  | 'asking-micropython'
  | 'waiting-for-bootsel'
  | 'press-bootsel'
  | 'checking-drive'
  | 'identifying'
  | 'ready';

/** Facts that the boot ROM reports. */
export interface RpInfo {
  /** `usb`: PICOBOOT. `drive`: the drive, which tells little. */
  readonly link: 'usb' | 'drive';
  readonly chip: RpChip;
  /** `B2`, `A4`; null for a ROM that is not in the table. */
  readonly revision: string | null;
  /** Version of the boot ROM, as it states it; null if it was not read. */
  readonly romVersion: number | null;
  /** Size of the flash in bytes, found by reading; null for an empty flash, and for a drive. */
  readonly flashSize: number | null;
  /** Unique id of an RP2350, 16 hexadecimal digits; null for an RP2040, whose ROM reports none. */
  readonly uniqueId: string | null;
  /** Processor that runs the ROM; null if it is not known. */
  readonly cpu: RpCpu | null;
  /** True: only signed programs start. Null: not known, and never on an RP2040. */
  readonly secureBoot: boolean | null;
  /**
   * Partitions of an RP2350. `none`: it has no table. Null: not read, not read since flash was changed, and never on an
   * RP2040.
   */
  readonly partitions: RpPartitions | 'none' | null;
  /** File systems in flash, found by their first blocks, in the order of addresses. */
  readonly users: readonly RpFlashUser[];
}

export interface RpWriteReport extends WriteReport {
  /** Ranges that shared a sector with a region, and were written back. */
  readonly kept: readonly FlashRange[];
}

export interface RpWriteOptions extends WorkOptions {
  readonly onEvent?: (event: WriteEvent) => void;
}

/** A board in BOOTSEL over USB. Performs one call at a time. Calls reject with an RpError. */
export interface RpBoard {
  readonly info: RpInfo;
  /** Aborts when the board is gone or closed. */
  readonly over: AbortSignal;
  read(range: FlashRange, options?: WorkOptions): Promise<Uint8Array>;
  /** Erases whole sectors and reads them back; null erases all of the flash. */
  erase(ranges: readonly FlashRange[] | null, options?: WorkOptions): Promise<void>;
  /** Writes what differs, and reads every byte back. @param regions At addresses from 0x10000000 on. */
  write(regions: readonly FlashRegion[], options?: RpWriteOptions): Promise<RpWriteReport>;
  /** Looks for file systems and the partition table again. */
  look(signal?: AbortSignal): Promise<void>;
  /** Reads the partition table again if flash was changed since. */
  lookAtTable(signal: AbortSignal): Promise<void>;
  /** Starts the program in flash. Resolves once the device is gone, or after a limit. */
  restart(): Promise<void>;
  /** Gives the flash back to the drive, and closes the device. Never rejects. */
  close(): Promise<void>;
}
