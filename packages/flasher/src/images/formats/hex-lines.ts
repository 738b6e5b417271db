/**
 * Reads text files of records: lines with bytes as pairs of hexadecimal digits. Used for Intel HEX, S-records and
 * TI-TXT.
 */
import { ImageError, type ImageFault } from '../image-error.ts';
import { isComment, recordText } from './record-text.ts';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 0x20;
const TAB = 0x09;

/** Value of an invalid digit. Low enough that a byte with one is negative, whatever its other digit is. */
const NO_DIGIT = -256;

/** Character code → value of the digit. */
const digitValues = Int16Array.from({ length: 256 }, (_, code) => {
  const value = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase());
  return value < 0 ? NO_DIGIT : value;
});

/**
 * Calls `take` with each line that is neither empty nor a comment, without blanks around it. Creates no objects per
 * line, because files often have millions of lines.
 *
 * @param file Text in any encoding that `recordText` reads.
 * @param take Receives the text and the range of the line in it. Returns a fault or null.
 * @throws ImageError with the fault that `take` returns and the line's number from 1.
 */
export function readLines(
  file: Uint8Array,
  take: (bytes: Uint8Array, start: number, end: number) => ImageFault | null,
): void {
  const bytes = recordText(file);
  let line = 0;
  for (let start = 0; start < bytes.length; ) {
    let end = start;
    while (end < bytes.length && bytes[end] !== LINE_FEED && bytes[end] !== CARRIAGE_RETURN) {
      end++;
    }
    line++;
    let [first, last] = [start, end];
    while (first < last && isBlank(bytes[first])) {
      first++;
    }
    while (last > first && isBlank(bytes[last - 1])) {
      last--;
    }
    const fault = first < last && !isComment(bytes, first, last) ? take(bytes, first, last) : null;
    if (fault !== null) {
      throw new ImageError(fault, { line });
    }
    // CR and LF together are one line ending.
    start = bytes[end] === CARRIAGE_RETURN && bytes[end + 1] === LINE_FEED ? end + 2 : end + 1;
  }
}

/**
 * Decodes the digits from `start` to `end` into `target`, which must be long enough.
 *
 * @returns the sum of all bytes; −1 if a digit is invalid.
 */
export function decodeDigits(bytes: Uint8Array, start: number, end: number, target: Uint8Array): number {
  let sum = 0;
  for (let index = 0; start + 2 * index + 1 < end; index++) {
    const at = start + 2 * index;
    const value = (digitValues[bytes[at] ?? 0] ?? NO_DIGIT) * 16 + (digitValues[bytes[at + 1] ?? 0] ?? NO_DIGIT);
    if (value < 0) {
      return -1;
    }
    target[index] = value;
    sum += value;
  }
  return sum;
}

/** Returns true for a space or a tab. */
export function isBlank(character: number | undefined): boolean {
  return character === SPACE || character === TAB;
}
