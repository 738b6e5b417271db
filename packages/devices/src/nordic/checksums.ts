/** The checksums of the three protocols. */

/** CRC-32 of ISO 3309 (reflected 04C11DB7). */
const crc32Polynomial = 0xedb88320;
const crc32Table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) {
    value = value & 1 ? (value >>> 1) ^ crc32Polynomial : value >>> 1;
  }
  return value;
});

/** CRC-32 of `bytes`, or of what gave `before` and then `bytes` (nRF5 SDK, `crc32_compute`). */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  for (const byte of bytes) {
    crc = (crc32Table[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}

/** CRC-16 with polynomial 1021, the highest bit first, begun with `before`: FFFF in the nRF5 SDK, 0 in SMP (CRC-16/XMODEM). */
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
