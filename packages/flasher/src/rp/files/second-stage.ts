/** Second stage of an RP2040's program: 256 bytes at the start of flash, which set up the flash (RP2040 datasheet 2.8.1). */
import { viewOf } from '../../core/bytes.ts';

const CHECKED = 252;
/** CRC-32 of MPEG-2: not reflected, from all ones, without a final inversion (RP2040 datasheet 2.8.1.3.1). */
const POLYNOMIAL = 0x04c1_1db7;

/** Returns true if the checksum in the last four bytes is right. Only then the boot ROM starts the program. */
export function isSecondStage(bytes: Uint8Array): boolean {
  if (bytes.length < CHECKED + 4) {
    return false;
  }
  let crc = 0xffff_ffff;
  for (const byte of bytes.subarray(0, CHECKED)) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc << 1) ^ (crc < 0 ? POLYNOMIAL : 0);
    }
  }
  return crc >>> 0 === viewOf(bytes).getUint32(CHECKED, true);
}
