/** CRC-32 of ISO 3309 and IEEE 802.3: polynomial 04C11DB7, reflected. */

const table = Int32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) {
    value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return value;
});

/**
 * Returns the CRC of `bytes` from `start` up to but excluding `end`.
 * @param before CRC of the bytes before these, to continue it. Default: start a new one.
 */
export function crc32(bytes: Uint8Array, before = 0, start = 0, end = bytes.length): number {
  let crc = ~before;
  for (let at = start; at < end; at++) {
    crc = (table[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (crc >>> 8);
  }
  return ~crc >>> 0;
}
