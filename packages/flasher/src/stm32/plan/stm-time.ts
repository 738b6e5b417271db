/** Estimates the duration of a write before it begins. Everything is written and read back. */
import type { FlashRange } from '../../core/region.ts';
import { commandFrame, dataFrame, maximumBlock, readLengthFrame, wordFrame } from '../an3155/frames.ts';

/** Bits on the wire per byte: start bit, eight data bits, parity, stop bit. */
const BITS_A_BYTE = 11;
/** Bytes on the wire for writing or reading a block, including acknowledgements. Both are similar. */
const block = new Uint8Array(maximumBlock);
export const writtenBlock = commandFrame(0).length + wordFrame(0).length + dataFrame(block).length + 3;
export const readBlock = commandFrame(0).length + wordFrame(0).length + readLengthFrame(1).length + 3 + maximumBlock;
/** Milliseconds per byte on USB, as full-speed bootloaders reach with 2 KB per transfer and its status requests. */
const USB_BYTE = 0.012;
/**
 * Typical times in milliseconds (STM32F405 data sheet, table "Flash memory programming"; STM32F103: 20 to 40 ms per
 * page).
 */
const PAGE_ERASE = 25;
const KIB_ERASE = 8;
const PROGRAM_BYTE = 0.004;
/** Milliseconds per block between answers and next requests, through a USB adapter. */
const TURN = 3;

export interface StmTimeInput {
  /** Bytes that are written, and bytes that are read before and written back. */
  readonly written: number;
  readonly restored: number;
  readonly sectors: readonly FlashRange[];
  /** In baud; null on USB. */
  readonly baudRate: number | null;
}

/** Returns the estimated duration in milliseconds. */
export function estimateStmTime({ written, restored, sectors, baudRate }: StmTimeInput): number {
  const erase = sectors.reduce((sum, { length }) => sum + Math.max(PAGE_ERASE, (length / 1_024) * KIB_ERASE), 0);
  const wireOf = (bytes: number, bytesOnWire: number) =>
    baudRate === null
      ? bytes * USB_BYTE
      : Math.ceil(bytes / maximumBlock) * ((bytesOnWire * BITS_A_BYTE * 1_000) / baudRate + TURN);
  const write = wireOf(written + restored, writtenBlock) + (written + restored) * PROGRAM_BYTE;
  // Kept bytes are read before, and all bytes are read back.
  const read = wireOf(written + 2 * restored, readBlock);
  return erase + write + read;
}
