/**
 * Interface of a bootloader over either link, used for comparing, writing and reading. Types only;
 * `an3155/uart-loader.ts` and `dfuse/usb-loader.ts` implement it.
 */
import type { Clock } from '@wirebench/clock';
import type { FlashRange } from '../core/region.ts';
import type { Sector } from './parts/flash-layout.ts';

export type TakeBlock = (block: FlashRange, bytes: Uint8Array) => boolean;

/** A bootloader. One call at a time. Every call rejects with an StmError, a PortError, or the reason of its signal. */
export interface Loader {
  readonly clock: Clock;
  /** In baud; null on USB. */
  readonly baudRate: number | null;
  /** Aborts when the board is gone or the port is closed. */
  readonly over: AbortSignal;
  /** Bytes sent to the board so far. */
  readonly sent: number;
  /** Most bytes of one read or write, a multiple of 64. */
  readonly blockSize: number;

  /** Reads 1 to `blockSize` bytes at `address`. */
  read(address: number, length: number, signal: AbortSignal): Promise<Uint8Array>;
  /**
   * Reads blocks in order, each up to `blockSize` bytes.
   *
   * @param take Receives each block. Returns false if no more blocks are wanted.
   */
  readBlocks(blocks: Iterable<FlashRange>, signal: AbortSignal, take: TakeBlock): Promise<void>;
  /**
   * Writes adjacent blocks.
   *
   * @param address Multiple of 4.
   * @param bytes Length is a multiple of 4 and not 0.
   * @param written Receives the number of acknowledged bytes after each block.
   */
  write(address: number, bytes: Uint8Array, signal: AbortSignal, written: (done: number) => void): Promise<void>;
  /** @param erased Receives the number of erased sectors after each command. */
  erase(sectors: readonly Sector[], signal: AbortSignal, erased: (done: number) => void): Promise<void>;
  /**
   * Erases the whole flash with one command; null if the bootloader has none. `size`: bytes of flash, 0 if unknown,
   * default 1 MiB.
   */
  readonly eraseAll: ((signal: AbortSignal, size?: number) => Promise<void>) | null;
  /**
   * Returns the CRC-32 of words (polynomial 04C11DB7, initial value FFFFFFFF, not reflected). Offset and length are
   * multiples of 4. Null if the bootloader has no checksum command.
   */
  readonly checksum: ((range: FlashRange, signal: AbortSignal) => Promise<number>) | null;
  /** Erases everything and resets the part. `size` as for `eraseAll`. */
  removeReadProtection(signal: AbortSignal, size?: number): Promise<void>;
  /** Makes every sector writable and resets the part; null if the bootloader has no such command. */
  readonly removeWriteProtection: ((signal: AbortSignal) => Promise<void>) | null;
  /** @param address Null: the part's own start address. */
  start(address: number | null, signal: AbortSignal): Promise<void>;
  /**
   * Gets the bootloader to answer again.
   *
   * @param attempt Number of failures of the current work, from 1.
   */
  recover(attempt: number, signal: AbortSignal): Promise<void>;
  /** Closes the port. Never rejects. */
  close(): Promise<void>;
}
