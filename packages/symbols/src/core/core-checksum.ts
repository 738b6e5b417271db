/** The two checksums of core dumps (ESP-IDF, `core_dump_checksum.h`): CRC-32 as zip has it, or SHA-256. */
export type CoreChecksum = 'crc32' | 'sha256';

export const checksumSize = { crc32: 4, sha256: 32 } satisfies Record<CoreChecksum, number>;

/** Whether `expected` is the checksum of `bytes`. */
export async function isSound(kind: CoreChecksum, bytes: Uint8Array, expected: Uint8Array): Promise<boolean> {
  if (kind === 'crc32') {
    return new DataView(expected.buffer, expected.byteOffset, 4).getUint32(0, true) === crc32(bytes);
  }
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes.slice()));
  return digest.every((byte, index) => byte === expected[index]);
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      crc = crc & 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1;
    }
  }
  return ~crc >>> 0;
}
