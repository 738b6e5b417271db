/** Reads numbers that a person types into the bench. */
import { parseHexInput } from '@wirebench/serial';

/** Parses a hexadecimal number, `D0` or `0xD0`; null for invalid text, and for numbers above `most`. */
export function parseHex(text: string, most: number): number | null {
  const digits = text.trim().replace(/^0x/i, '');
  const value = /^[\da-f]+$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
  return value <= most ? value : null;
}

/**
 * Parses hexadecimal bytes in the notations of the terminal, as `F4 57`, `0xF4,0x57` or `F457`. A single digit is a
 * byte.
 *
 * @returns No bytes for empty text. Null for invalid text, for an odd number of digits above 1 in a row, and for more
 *   than `most` bytes.
 */
export function parseBytes(text: string, most: number): Uint8Array | null {
  const hex = parseHexInput(text.replaceAll(/\b[\da-f]\b/gi, '0$&'));
  return hex !== null && hex.longestPadded <= 1 && hex.bytes.length <= most ? hex.bytes : null;
}
