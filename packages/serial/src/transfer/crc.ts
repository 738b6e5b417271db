/** Check sums of the transfer protocols. */

/** CRC-16 of XMODEM and ZMODEM: polynomial 0x1021, start 0, most significant bit first. */
const table16 = Uint16Array.from({ length: 256 }, (_, index) => {
  let crc = index << 8;
  for (let bit = 0; bit < 8; bit++) {
    crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  }
  return crc;
});

/** CRC-32 of ZMODEM: the polynomial of Ethernet, least significant bit first. */
const table32 = Uint32Array.from({ length: 256 }, (_, index) => {
  let crc = index;
  for (let bit = 0; bit < 8; bit++) {
    crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return crc;
});

/** @param crc Result for the bytes before, to continue. */
export function crc16(bytes: ArrayLike<number>, crc = 0): number {
  let sum = crc;
  for (let at = 0; at < bytes.length; at++) {
    sum = ((sum << 8) & 0xff00) ^ (table16[(sum >> 8) ^ (bytes[at] ?? 0)] ?? 0);
  }
  return sum;
}

/** @param crc Result for the bytes before, to continue. */
export function crc32(bytes: ArrayLike<number>, crc = 0): number {
  let sum = ~crc;
  for (let at = 0; at < bytes.length; at++) {
    sum = (sum >>> 8) ^ (table32[(sum ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
  }
  return ~sum >>> 0;
}
