/**
 * The cyclic checksum of Get Checksum, as computed by the parts' CRC unit (reference manuals, "CRC calculation
 * unit").
 */
import { viewOf } from '../../byte-fields.ts';

/**
 * Returns the checksum of little-endian 32-bit words, each processed from its highest bit on, without reversal or
 * inversion.
 * @param bytes Length is a multiple of 4.
 * @param polynomial Polynomial without its highest bit.
 * @param initial Initial value.
 */
export function wordChecksum(bytes: Uint8Array, polynomial: number, initial: number): number {
  const view = viewOf(bytes);
  let sum = initial | 0;
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    sum ^= view.getInt32(at, true);
    for (let bit = 0; bit < 32; bit++) {
      sum = sum < 0 ? (sum << 1) ^ polynomial : sum << 1;
    }
  }
  return sum >>> 0;
}
