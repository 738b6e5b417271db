/**
 * TI-TXT, the format of MSP430 tools (Texas Instruments, SLAU131, "TI-TXT Hex Format", and SLAU048, appendix A.2). A line
 * with @ and an address begins a section; lines of bytes as pairs of hexadecimal digits follow; a line with q ends the
 * file. There are no checksums. A missing byte shows only in the length of its line.
 */
import { ImageError, type ImageFault } from '../image-error.ts';
import { decodeDigits, isBlank, readLines } from './hex-lines.ts';
import type { MemoryContents, MemoryFormat } from './image-format.ts';
import { mergeSegments, PieceCollector } from './memory-segments.ts';
import { recordKindOf } from './record-text.ts';

const AT_SIGN = 0x40;
const LETTER_Q = 0x71;
/** Bit that distinguishes lower-case from upper-case letters in ASCII. */
const CASE_BIT = 0x20;
const MAX_ADDRESS_DIGITS = 8;

/**
 * Reads the file.
 *
 * @throws ImageError with the line: `not-ti-txt`, `titxt-address`, `titxt-no-address`, `titxt-length`,
 *   `titxt-after-end`, `address-range`.
 * @throws ImageError without a line: `titxt-no-end`, `address-twice`, `nothing-to-load`.
 */
export function readTiTxt(bytes: Uint8Array): MemoryContents {
  const reader = new SectionReader();
  readLines(bytes, (text, start, end) => reader.take(text, start, end));
  return reader.finish();
}

class SectionReader {
  readonly #pieces = new PieceCollector();
  /** Address of the next byte; null before the first section. */
  #address: number | null = null;
  /** Bytes of each line of this section but its last; null before its first line. */
  #width: number | null = null;
  /** True: the last line was shorter, so the section has to end with it. */
  #isShort = false;
  #hasEnded = false;

  take(text: Uint8Array, start: number, end: number): ImageFault | null {
    if (this.#hasEnded) {
      return 'titxt-after-end';
    }
    const first = text[start] ?? 0;
    if (first === AT_SIGN) {
      return this.#beginSection(text, start + 1, end);
    }
    if ((first | CASE_BIT) === LETTER_Q && end - start === 1) {
      this.#hasEnded = true;
      return null;
    }
    const bytes = pairsIn(text, start, end);
    return bytes === null ? 'not-ti-txt' : this.#addBytes(bytes);
  }

  /** @throws ImageError if the end is missing, or the sections do not fit together. */
  finish(): MemoryContents {
    if (!this.#hasEnded) {
      throw new ImageError('titxt-no-end');
    }
    return { segments: mergeSegments(this.#pieces.pieces()), entry: null };
  }

  #beginSection(text: Uint8Array, start: number, end: number): ImageFault | null {
    const digits = String.fromCharCode(...text.subarray(start, Math.min(end, start + MAX_ADDRESS_DIGITS + 1)));
    if (!/^[\da-f]{1,8}$/i.test(digits)) {
      return 'titxt-address';
    }
    this.#address = Number.parseInt(digits, 16);
    this.#width = null;
    this.#isShort = false;
    return null;
  }

  #addBytes(bytes: Uint8Array): ImageFault | null {
    if (this.#address === null) {
      return 'titxt-no-address';
    }
    this.#width ??= bytes.length;
    if (this.#isShort || bytes.length > this.#width) {
      return 'titxt-length';
    }
    if (this.#address + bytes.length > 2 ** 32) {
      return 'address-range';
    }
    this.#isShort = bytes.length < this.#width;
    this.#pieces.add(this.#address, bytes);
    this.#address += bytes.length;
    return null;
  }
}

/** Decodes pairs of digits with blanks between them. Returns null if the line has anything else. */
function pairsIn(text: Uint8Array, start: number, end: number): Uint8Array | null {
  const bytes = new Uint8Array(Math.ceil((end - start) / 3));
  let count = 0;
  for (let at = start; at < end; ) {
    const isPair = at + 1 < end && decodeDigits(text, at, at + 2, bytes.subarray(count)) >= 0;
    if (!isPair || (at + 2 < end && !isBlank(text[at + 2]))) {
      return null;
    }
    count++;
    at += 2;
    while (at < end && isBlank(text[at])) {
      at++;
    }
  }
  return bytes.subarray(0, count);
}

export const tiTxt = {
  kind: 'ti-txt',
  name: 'TI-TXT',
  holds: 'memory',
  startsLike: (bytes) => recordKindOf(bytes) === 'ti-txt',
  read: readTiTxt,
} as const satisfies MemoryFormat;
