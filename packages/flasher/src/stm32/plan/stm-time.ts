/** How long a write to an STM32 takes, before it begins: everything is written and read back. Only an estimate. */
import type { FlashRange } from '../../core/region.ts';
import { commandFrame, dataFrame, maximumBlock, readLengthFrame, wordFrame } from '../an3155/frames.ts';

/** Start bit, eight data bits, parity, stop bit. */
const BITS_A_BYTE = 11;
/** Bytes on the wire for a block, with acknowledgements: reading takes as many as writing. */
const block = new Uint8Array(maximumBlock);
export const writtenBlock = commandFrame(0).length + wordFrame(0).length + dataFrame(block).length + 3;
export const readBlock = commandFrame(0).length + wordFrame(0).length + readLengthFrame(1).length + 3 + maximumBlock;
/** Milliseconds a byte on USB: what bootloaders at full speed reach, 2 KB a transfer and its questions. */
const USB_BYTE = 0.012;
/** Typical times (STM32F405 data sheet, table "Flash memory programming"; STM32F103: 20 to 40 ms a page), in milliseconds. */
const PAGE_ERASE = 25;
const KIB_ERASE = 8;
const PROGRAM_BYTE = 0.004;
/** Between an answer and the next request, through a USB adapter, in milliseconds a block. */
const TURN = 3;

export interface StmTimeInput {
  /** Bytes that are written, and bytes that are read before and written back. */
  readonly written: number;
  readonly restored: number;
  readonly sectors: readonly FlashRange[];
  /** In baud; null on USB. */
  readonly baudRate: number | null;
}

/** Milliseconds. */
export function estimateStmTime({ written, restored, sectors, baudRate }: StmTimeInput): number {
  const erase = sectors.reduce((sum, { length }) => sum + Math.max(PAGE_ERASE, (length / 1_024) * KIB_ERASE), 0);
  const wireOf = (bytes: number, bytesOnWire: number) =>
    baudRate === null
      ? bytes * USB_BYTE
      : Math.ceil(bytes / maximumBlock) * ((bytesOnWire * BITS_A_BYTE * 1_000) / baudRate + TURN);
  const write = wireOf(written + restored, writtenBlock) + (written + restored) * PROGRAM_BYTE;
  // What is kept is looked at before, and all of it is read back.
  const read = wireOf(written + 2 * restored, readBlock);
  return erase + write + read;
}
