/**
 * Motorola S-records (Motorola, "M68000 Family Programmer's Reference Manual", appendix C, "S-Record Output Format"). A line is an S, a
 * digit for its type, then in hexadecimal: the number of bytes that follow, an address (big endian), data, and a byte that brings the sum
 * of all but the type to 255.
 */
import { ImageError, type ImageFault } from '../image-error.ts';
import { decodeDigits, readLines } from './hex-lines.ts';
import type { MemoryFormat } from './image-format.ts';
import { type MemorySegment, mergeSegments, PieceCollector } from './memory-segments.ts';
import { recordKindOf } from './record-text.ts';

const LETTER_S = 0x53;
const DIGIT_0 = 0x30;
/** The letter and the digit of the type. */
const MARK_SIZE = 2;
/** The number of bytes that follow, and the checksum. */
const FRAME_SIZE = 2;

/** Bytes of address of each type, S0 to S9; there is no S4. */
const addressSizes = [2, 2, 3, 4, null, 2, 3, 4, 3, 2] as const;

export interface SRecordFile {
  readonly segments: readonly MemorySegment[];
  /** Where execution begins. Null where the last record has 0, as tools write it that know of none. */
  readonly entry: number | null;
  /** Text of the header record, as far as it is readable; empty when there is none. */
  readonly header: string;
}

/**
 * @throws ImageError with the line: `not-s-record`, `srec-length`, `srec-checksum`, `srec-type`, `srec-after-end`; and `srec-count`,
 * `srec-no-end`, `address-range`, `address-twice`, `nothing-to-load`.
 */
export function readSRecords(bytes: Uint8Array): SRecordFile {
  const reader = new RecordReader();
  readLines(bytes, (text, start, end) => reader.take(text, start, end));
  return reader.finish();
}

class RecordReader {
  readonly #pieces = new PieceCollector();
  /** Count, address, data, checksum of the line at hand. */
  readonly #record = new Uint8Array(1 + 255);
  #dataRecords = 0;
  #entry: number | null = null;
  #header = '';
  /** The last record was a count of the data records, and was right: `srec_cat` writes no other end. */
  #isCounted = false;
  #hasEnded = false;

  take(bytes: Uint8Array, start: number, end: number): ImageFault | null {
    // Both cases of the letter are seen.
    if (((bytes[start] ?? 0) & ~0x20) !== LETTER_S) {
      return 'not-s-record';
    }
    const type = (bytes[start + 1] ?? 0) - DIGIT_0;
    if (!(type >= 0 && type <= 9)) {
      return 'not-s-record';
    }
    const addressSize = addressSizes[type] ?? null;
    if (addressSize === null) {
      return 'srec-type';
    }
    const digits = end - start - MARK_SIZE;
    if (digits % 2 !== 0 || digits < 2 * (FRAME_SIZE + addressSize) || digits > 2 * this.#record.length) {
      return 'srec-length';
    }
    const sum = decodeDigits(bytes, start + MARK_SIZE, end, this.#record);
    if (sum < 0) {
      return 'not-s-record';
    }
    if (this.#record[0] !== digits / 2 - 1) {
      return 'srec-length';
    }
    return sum % 256 === 255 ? this.#use(type, addressSize, digits / 2 - 1) : 'srec-checksum';
  }

  /** @throws ImageError when the end record is missing, or the pieces do not fit together. */
  finish(): SRecordFile {
    if (!this.#hasEnded && !this.#isCounted) {
      throw new ImageError('srec-no-end');
    }
    return { segments: mergeSegments(this.#pieces.pieces()), entry: this.#entry, header: this.#header };
  }

  /** @param end of the data in the record, where its checksum is. */
  #use(type: number, addressSize: number, end: number): ImageFault | null {
    if (this.#hasEnded) {
      return 'srec-after-end';
    }
    const data = this.#record.subarray(1 + addressSize, end);
    const address = this.#record.subarray(1, 1 + addressSize).reduce((value, byte) => value * 256 + byte, 0);
    if (type === 0) {
      this.#header = readableText(data);
      return null;
    }
    if (type <= 3) {
      return this.#addData(address, data);
    }
    // The others hold no data: S5 and S6 the number of data records before them, S7 to S9 where execution begins.
    if (data.length > 0) {
      return 'srec-length';
    }
    if (type <= 6) {
      this.#isCounted = address === this.#dataRecords % 256 ** addressSize;
      return this.#isCounted ? null : 'srec-count';
    }
    this.#hasEnded = true;
    this.#entry = address === 0 ? null : address;
    return null;
  }

  #addData(address: number, data: Uint8Array): ImageFault | null {
    if (address + data.length > 2 ** 32) {
      return 'address-range';
    }
    this.#dataRecords++;
    this.#isCounted = false;
    this.#pieces.add(address, data);
    return null;
  }
}

function readableText(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim();
}

export const sRecord = {
  kind: 's-record',
  name: 'S-record',
  holds: 'memory',
  startsLike: (bytes) => recordKindOf(bytes) === 's-record',
  read: readSRecords,
} as const satisfies MemoryFormat;
