/**
 * Returns the CRC-16 with polynomial 1021, highest bit first.
 * @param bytes Data to check.
 * @param before Initial value: FFFF in the nRF5 SDK, 0 in SMP (CRC-16/XMODEM).
 */
export function crc16(bytes: Uint8Array, before: 0 | 0xffff): number {
  let crc: number = before;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) {
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1;
    }
  }
  return crc;
}
