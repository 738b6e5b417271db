/**
 * Hexadecimal numbers in the interface's notation: upper-case digits, and `0x` before a single number. Text that a
 * board or a tool printed keeps its case. So do hashes and MAC addresses, which other tools print in lower case.
 */
import { addressText, parseOffset } from '@wirebench/contract/constants';
import { hexBytes, hexDigits } from '@wirebench/port/numbers';

export { hexBytes, hexDigits };

/**
 * `0x76`.
 * @param digits Minimum number of digits, padded with zeros.
 */
export const hexNumber = (value: number, digits = 2): string => `0x${hexDigits(value, digits)}`;

/** Formats a register or an address of a 32-bit processor: `0x4008A1FC`. */
export const wordText = (value: number): string => hexNumber(value, 8);

/**
 * Formats an address in flash: `0x10000`. An address of seven digits or more belongs to a memory map and gets eight:
 * `0x08000000`.
 */
export { addressText };

/** Formats the offset of a release's file, `0x1a000`, like `addressText`. Other text stays unchanged. */
export function offsetText(offset: string): string {
  const address = parseOffset(offset);
  return address === null ? offset : addressText(address);
}
