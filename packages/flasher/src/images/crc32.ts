/** CRC-32 of zip, NVS and OTA data (ISO 3309: polynomial 04C11DB7, reflected). */

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) {
    value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return value;
});

/**
 * Returns the CRC of `bytes`.
 *
 * @param before CRC of the preceding bytes; zero for none. With 0xFFFFFFFF the result is that of Espressif's
 *   `esp_rom_crc32_le(UINT32_MAX, …)`.
 */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  for (const byte of bytes) {
    crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0);
  }
  return ~crc >>> 0;
}
