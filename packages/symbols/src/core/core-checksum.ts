/** The two checksums of core dumps (ESP-IDF, `core_dump_checksum.h`): CRC-32 as in zip files, or SHA-256. */
import { crc32 } from '@wirebench/flasher/crc32';

export type CoreChecksum = 'crc32' | 'sha256';

export const checksumSize = { crc32: 4, sha256: 32 } satisfies Record<CoreChecksum, number>;

/** Bytes of CRC calculation between two pauses: a few milliseconds. */
const SLICE = 1 << 20;

/**
 * Checks a checksum.
 *
 * @param pause Awaited after each slice, so that a large dump does not block other work.
 * @returns True if `expected` is the checksum of `bytes`.
 */
export async function isSound(
  kind: CoreChecksum,
  bytes: Uint8Array,
  expected: Uint8Array,
  pause?: () => Promise<void>,
): Promise<boolean> {
  if (kind === 'sha256') {
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes.slice()));
    return digest.every((byte, index) => byte === expected[index]);
  }
  let crc = 0;
  for (let at = 0; at < bytes.length; at += SLICE) {
    crc = crc32(bytes.subarray(at, at + SLICE), crc);
    if (at + SLICE < bytes.length) {
      await pause?.();
    }
  }
  return crc === word(expected);
}

const word = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
