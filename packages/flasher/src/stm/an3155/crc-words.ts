/**
 * The CRC unit of STM32 as the bootloader uses it (AN3155 section 3.13; RM0008 section 4, "CRC calculation unit"):
 * polynomial 04C11DB7 over little-endian words, highest bit first, without reflection or final inversion.
 */
import { viewOf } from '../../core/bytes.ts';
import { crcPolynomial, crcStart } from './frames.ts';

/** Top byte of the register → its contribution after it has been shifted out. */
const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit++) {
    value = value < 0 ? (value << 1) ^ crcPolynomial : value << 1;
  }
  return value >>> 0;
});

/** @param bytes Length is a multiple of 4. */
export function crcOfWords(bytes: Uint8Array): number {
  const view = viewOf(bytes);
  let crc = crcStart;
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    crc ^= view.getUint32(at, true);
    for (let byte = 0; byte < 4; byte++) {
      crc = (crc << 8) ^ (table[crc >>> 24] ?? 0);
    }
  }
  return crc >>> 0;
}
