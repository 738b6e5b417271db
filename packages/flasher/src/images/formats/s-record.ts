/**
 * Motorola S-records (Motorola, "M68000 Family Programmer's Reference Manual", appendix C, "S-Record Output Format").
 * A line is an S, a digit for its type and, in hexadecimal: count of the following bytes, address (big endian), data,
 * checksum. The sum of all bytes is 255 modulo 256.
 */
import { ImageError, type ImageFault } from '../image-error.ts';
import { decodeDigits, readLines } from './hex-lines.ts';
import type { MemoryFormat } from './image-format.ts';
import { type MemorySegment, mergeSegments, PieceCollector } from './memory-segments.ts';
import { recordKindOf } from './record-text.ts';

const LETTER_S = 0x53;
const DIGIT_0 = 0x30;
/** Characters of the mark: the letter and the digit of the type. */
const MARK_SIZE = 2;
/** Bytes of the count and the checksum. */
const FRAME_SIZE = 2;

/** Bytes of the address for each type, S0 to S9. There is no S4. */
const addressSizes = [2, 2, 3, 4, null, 2, 3, 4, 3, 2] as const;

export interface SRecordFile {
  readonly segments: readonly MemorySegment[];
  /** Entry point. Null if the last record has 0, which tools write if they know of none. */
  readonly entry: number | null;
  /** Readable part of the header record's text; empty if there is no header. */
  readonly header: string;
}

/**
 * Reads the file.
 *
 * @throws ImageError with the line: `not-s-record`, `srec-length`, `srec-checksum`, `srec-type`, `srec-after-end`,
 *   `srec-count`, `address-range`.
 * @throws ImageError without a line: `srec-no-end`, `address-twice`, `nothing-to-load`.
 */
export function readSRecords(bytes: Uint8Array): SRecordFile {
  const reader = new RecordReader();
  readLines(bytes, (text, start, end) => reader.take(text, start, end));
  return reader.finish();
}

class RecordReader {
  readonly #pieces = new PieceCollector();
  /** Count, address, data and checksum of the current line. */
  readonly #record = new Uint8Array(1 + 255);
  #dataRecords = 0;
  #entry: number | null = null;
  #header = '';
  /** True: the last record was a correct count of the data records. `srec_cat` may write no other end record. */
  #isCounted = false;
  #hasEnded = false;

  take(bytes: Uint8Array, start: number, end: number): ImageFault | null {
    // The letter may be upper or lower case.
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

  /** @throws ImageError if the end record is missing, or the pieces do not fit together. */
  finish(): SRecordFile {
    if (!this.#hasEnded && !this.#isCounted) {
      throw new ImageError('srec-no-end');
    }
    return { segments: mergeSegments(this.#pieces.pieces()), entry: this.#entry, header: this.#header };
  }

  /** @param end End of the data in the record, where its checksum is. */
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
    // The remaining types hold no data. S5 and S6 count the data records before them; S7 to S9 state the entry point.
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
