/** Text files of records, one a line, each a mark and then bytes as pairs of hexadecimal digits: Intel HEX and S-records. */
import { ImageError, type ImageFault } from '../image-error.ts';
import { isComment, recordText } from './record-text.ts';

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 0x20;
const TAB = 0x09;

/** So far below zero that a byte with such a digit is negative, whatever the other digit is. */
const NO_DIGIT = -256;

/** By character code. */
const digitValues = Int16Array.from({ length: 256 }, (_, code) => {
  const value = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase());
  return value < 0 ? NO_DIGIT : value;
});

/**
 * Has `take` read each line that is neither empty nor a comment, without blanks around it. Millions of lines are usual: nothing is made for
 * each.
 *
 * @param file in any encoding that `recordText` reads
 * @param take gets the text, and where the line begins and ends in it
 * @throws ImageError with the fault that `take` gives, and the line from 1.
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
    // A carriage return and a line feed are one end.
    start = bytes[end] === CARRIAGE_RETURN && bytes[end + 1] === LINE_FEED ? end + 2 : end + 1;
  }
}

/**
 * Writes the bytes that the digits from `start` to `end` stand for into `target`, which is long enough.
 *
 * @returns the sum of all of them; −1 where something is no digit.
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

function isBlank(character: number | undefined): boolean {
  return character === SPACE || character === TAB;
}
