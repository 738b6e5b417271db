/** The cyclic sum of Get Checksum: that of the parts' CRC unit (reference manuals, "CRC calculation unit"). */
import { viewOf } from '../../byte-fields.ts';

/**
 * Over 32-bit words as they are in memory, little endian, each from its highest bit on; nothing is reversed or inverted.
 * `bytes` has a multiple of 4.
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
