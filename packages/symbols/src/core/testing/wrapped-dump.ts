/** Headers and checksums around core dumps, with Node's own checksums (ESP-IDF, `esp_core_dump_types.h`). */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { joined, words } from './dump-files.ts';

/**
 * Returns header, content and checksum.
 *
 * @param version Such as 0x0103.
 * @param fields Words of the header after length and version.
 */
export function wrapped(chip: number, version: number, fields: readonly number[], content: Uint8Array): Uint8Array {
  const isSha = version === 0x101 || version === 0x103 || version === 0x104;
  const size = 8 + 4 * fields.length + content.length + (isSha ? 32 : 4);
  const sum = joined(words(size, (chip << 16) | version, ...fields), content);
  const checksum = isSha ? new Uint8Array(createHash('sha256').update(sum).digest()) : words(crc32(sum));
  return joined(sum, checksum);
}
