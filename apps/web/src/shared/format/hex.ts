/**
 * Hexadecimal numbers as the interface writes them: upper-case digits, `0x` before a single number. Text that a board or a tool printed
 * keeps its case, and so do hashes and MAC addresses, which other tools print in lower case.
 */
import { addressText, parseOffset } from '@wirebench/contract/constants';

/** `0F`: digits without `0x`, for tables and dumps. @param digits Smallest number of digits; zeros fill it up. */
export const hexDigits = (value: number, digits = 2): string => value.toString(16).toUpperCase().padStart(digits, '0');

/** `0x76`. @param digits Smallest number of digits; zeros fill it up. */
export const hexNumber = (value: number, digits = 2): string => `0x${hexDigits(value, digits)}`;

/** A register or an address of a 32-bit processor: `0x4008A1FC`. */
export const wordText = (value: number): string => hexNumber(value, 8);

/** An address in flash: `0x10000`. From seven digits on it is one of a memory map and has eight: `0x08000000`. */
export { addressText };

/** Writes the offset of a release's file, `0x1a000`, as `addressText` does. Other text stays as it is. */
export function offsetText(offset: string): string {
  const address = parseOffset(offset);
  return address === null ? offset : addressText(address);
}

/** `6A 6D D0`. */
export const hexBytes = (bytes: Iterable<number>): string => Array.from(bytes, (byte) => hexDigits(byte)).join(' ');
