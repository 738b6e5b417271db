/**
 * Intel HEX (Intel, "Hexadecimal Object File Format Specification", revision A, 1988), all six record types. A line
 * is a colon and, in hexadecimal: length, address (big endian), type, data, checksum. The sum of all bytes is zero
 * modulo 256.
 */
import { ImageError, type ImageFault } from '../image-error.ts';
import { decodeDigits, readLines } from './hex-lines.ts';
import type { MemoryFormat } from './image-format.ts';
import { type MemorySegment, mergeSegments, PieceCollector } from './memory-segments.ts';
import { recordKindOf } from './record-text.ts';

const COLON = 0x3a;
/** Bytes of a record besides its data: length, address, type, checksum. */
const RECORD_OVERHEAD = 5;
/** Bytes of a segment. Segmented addresses wrap within it (section 3, `SBA`); linear ones do not. */
const SEGMENT_SIZE = 0x10000;

const recordType = { data: 0, end: 1, segmentBase: 2, segmentStart: 3, linearBase: 4, linearStart: 5 } as const;
/**
 * Start of a block for one version of a micro:bit, which comes before all other types of a Universal Hex (Micro:bit Educational
 * Foundation, "Universal Hex Format Specification" 0.4.0).
 */
const universalStart = 0x0a;
/** Bytes of data in each record type; null for any number. */
const dataLengths = [null, 0, 2, 4, 2, 4] as const;

export interface IntelHex {
  readonly segments: readonly MemorySegment[];
  /** Entry point: a linear address, or CS × 16 + IP. Null if the file does not state one. */
  readonly entry: number | null;
}

/**
 * Reads the file.
 *
 * @throws ImageError with the line: `not-intel-hex`, `hex-record`, `hex-checksum`, `hex-record-type`,
 *   `hex-after-end`.
 * @throws ImageError without a line: `hex-universal`, `hex-no-end`, `address-range`, `address-twice`, `nothing-to-load`.
 */
export function readIntelHex(bytes: Uint8Array): IntelHex {
  const reader = new RecordReader();
  readLines(bytes, (text, start, end) => reader.take(text, start, end));
  return reader.finish();
}

class RecordReader {
  readonly #pieces = new PieceCollector();
  /** Length, address, type, data and checksum of the current line. */
  readonly #record = new Uint8Array(RECORD_OVERHEAD + 255);
  readonly #view = new DataView(this.#record.buffer);
  #base = 0;
  #isLinear = true;
  #entry: number | null = null;
  #hasEnded = false;

  /** Reads the line from `start` to `end` of the file. */
  take(bytes: Uint8Array, start: number, end: number): ImageFault | null {
    return this.#decode(bytes, start, end) ?? this.#useRecord();
  }

  finish(): IntelHex {
    if (!this.#hasEnded) {
      throw new ImageError('hex-no-end');
    }
    return { segments: mergeSegments(this.#pieces.pieces()), entry: this.#entry };
  }

  /** Decodes the digits after the colon, and checks length and checksum. */
  #decode(bytes: Uint8Array, start: number, end: number): ImageFault | null {
    if (bytes[start] !== COLON) {
      return 'not-intel-hex';
    }
    const digits = end - start - 1;
    if (digits % 2 !== 0 || digits < 2 * RECORD_OVERHEAD || digits > 2 * this.#record.length) {
      return 'hex-record';
    }
    const sum = decodeDigits(bytes, start + 1, end, this.#record);
    if (sum < 0) {
      return 'not-intel-hex';
    }
    if (this.#record[0] !== digits / 2 - RECORD_OVERHEAD) {
      return 'hex-record';
    }
    return sum % 256 === 0 ? null : 'hex-checksum';
  }

  #useRecord(): ImageFault | null {
    const [length = 0, , , type = 0] = this.#record;
    const wanted = dataLengths[type];
    if (this.#hasEnded) {
      return 'hex-after-end';
    }
    if (type === universalStart) {
      throw new ImageError('hex-universal');
    }
    if (wanted === undefined) {
      return 'hex-record-type';
    }
    if (wanted !== null && wanted !== length) {
      return 'hex-record';
    }
    switch (type) {
      case recordType.data:
        return this.#addData(this.#view.getUint16(1), this.#record.subarray(4, 4 + length));
      case recordType.end:
        this.#hasEnded = true;
        return null;
      case recordType.segmentBase:
        this.#base = this.#view.getUint16(4) * 16;
        this.#isLinear = false;
        return null;
      case recordType.linearBase:
        this.#base = this.#view.getUint16(4) * SEGMENT_SIZE;
        this.#isLinear = true;
        return null;
      case recordType.segmentStart:
        this.#entry = this.#view.getUint16(4) * 16 + this.#view.getUint16(6);
        return null;
      default:
        this.#entry = this.#view.getUint32(4);
        return null;
    }
  }

  #addData(offset: number, data: Uint8Array): ImageFault | null {
    const room = this.#isLinear ? data.length : Math.min(data.length, SEGMENT_SIZE - offset);
    if (this.#base + offset + room > 2 ** 32) {
      return 'address-range';
    }
    this.#pieces.add(this.#base + offset, data.subarray(0, room));
    if (room < data.length) {
      this.#pieces.add(this.#base, data.subarray(room));
    }
    return null;
  }
}

export const intelHex = {
  kind: 'intel-hex',
  name: 'Intel HEX',
  holds: 'memory',
  startsLike: (bytes) => recordKindOf(bytes) === 'intel-hex',
  read: readIntelHex,
} as const satisfies MemoryFormat;
