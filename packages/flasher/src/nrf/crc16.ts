/**
 * CRC-16 with polynomial 0x1021, not reflected. The initial value is 0xFFFF for the legacy bootloader (nRF5 SDK,
 * `crc16_compute`), and 0 for SMP over console (Zephyr, "SMP Transport Specification", section "CRC Details").
 */

const table = Uint16Array.from({ length: 256 }, (_, index) => {
  let value = index << 8;
  for (let bit = 0; bit < 8; bit++) {
    value = value & 0x8000 ? (value << 1) ^ 0x1021 : value << 1;
  }
  return value;
});

/**
 * Returns the CRC of `bytes`.
 *
 * @param before Initial value, or the CRC of the preceding bytes.
 */
export function crc16(bytes: Uint8Array, before: number): number {
  let crc = before;
  for (const byte of bytes) {
    crc = ((crc << 8) & 0xffff) ^ (table[(crc >> 8) ^ byte] ?? 0);
  }
  return crc;
}
