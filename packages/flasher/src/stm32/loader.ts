/**
 * What a bootloader can do, whichever way it is reached: the base of comparing, writing and reading. Types only;
 * `an3155/uart-loader.ts` and `dfuse/usb-loader.ts` are the two.
 */
import type { Clock } from '@wirebench/clock';
import type { FlashRange } from '../core/region.ts';
import type { Sector } from './parts/flash-layout.ts';

export type TakeBlock = (block: FlashRange, bytes: Uint8Array) => boolean;

/** Every call rejects with an StmError, a PortError, or the reason of its signal. One call at a time. */
export interface Loader {
  readonly clock: Clock;
  /** In baud; null on USB. */
  readonly baudRate: number | null;
  /** Aborts when the board is gone, and when the port is closed. */
  readonly over: AbortSignal;
  /** Bytes that went to the board so far. */
  readonly sent: number;
  /** What one read or write moves at most, in bytes, a multiple of 64. */
  readonly blockSize: number;

  /** 1 to `blockSize` bytes at `address`. */
  read(address: number, length: number, signal: AbortSignal): Promise<Uint8Array>;
  /**
   * Reads one block after the other, each up to `blockSize` bytes.
   * @param take gets each block in order; false: no more are wanted.
   */
  readBlocks(blocks: Iterable<FlashRange>, signal: AbortSignal, take: TakeBlock): Promise<void>;
  /**
   * Writes blocks that follow each other.
   * @param address multiple of 4.
   * @param bytes a multiple of 4, not empty.
   * @param written told after each block that was acknowledged: bytes so far.
   */
  write(address: number, bytes: Uint8Array, signal: AbortSignal, written: (done: number) => void): Promise<void>;
  /** @param erased told after each command: sectors so far. */
  erase(sectors: readonly Sector[], signal: AbortSignal, erased: (done: number) => void): Promise<void>;
  /** Null where the bootloader cannot do this with one command. `size`: bytes of flash, 0 when unknown, by default 1 MiB. */
  readonly eraseAll: ((signal: AbortSignal, size?: number) => Promise<void>) | null;
  /**
   * CRC-32 of words (polynomial 04C11DB7, start FFFFFFFF, nothing reflected), offset and length multiples of 4; null where the
   * bootloader does not calculate.
   */
  readonly checksum: ((range: FlashRange, signal: AbortSignal) => Promise<number>) | null;
  /** Erases everything, and resets the part. `size` as for `eraseAll`. */
  removeReadProtection(signal: AbortSignal, size?: number): Promise<void>;
  /** Lets every sector be written again, and resets the part; null where the bootloader has no such command. */
  readonly removeWriteProtection: ((signal: AbortSignal) => Promise<void>) | null;
  /** @param address null: wherever the part starts by itself. */
  start(address: number | null, signal: AbortSignal): Promise<void>;
  /**
   * Gets the bootloader to answer again.
   * @param attempt how often the work at hand has failed, from 1 on.
   */
  recover(attempt: number, signal: AbortSignal): Promise<void>;
  /** Never rejects. */
  close(): Promise<void>;
}
