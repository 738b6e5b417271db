/**
 * The header of a core dump: its length (header and checksum included), its version, its chip. Sources: ESP-IDF,
 * `components/espcoredump/include_core_dump/esp_core_dump_types.h` (`core_dump_header_t`, version words);
 * esp-coredump 1.x, `corefile/loader.py` (header and checksum of each version).
 */
import { ByteCursor } from '../byte-cursor.ts';
import { type CoreChecksum, checksumSize } from './core-checksum.ts';

/** Maximum dump size in bytes: 32 MiB of PSRAM and everything around it. */
export const MAX_BYTES = 64 * 1024 * 1024;
const ELF_MAGIC = 0x464c_457f;

interface Version {
  readonly content: 'binary' | 'elf';
  readonly checksum: CoreChecksum;
  /** Words of the header after length and version. */
  readonly words: readonly ('tasks' | 'tcbSize' | 'segments' | 'chipRevision')[];
}

const first = ['tasks', 'tcbSize'] as const;
const second = [...first, 'segments'] as const;
const third = [...second, 'chipRevision'] as const;

/** Versions by the lower half of the version word. */
const versions: Readonly<Record<number, Version>> = {
  1: { content: 'binary', checksum: 'crc32', words: first },
  2: { content: 'binary', checksum: 'crc32', words: second },
  3: { content: 'binary', checksum: 'crc32', words: third },
  256: { content: 'elf', checksum: 'crc32', words: second },
  257: { content: 'elf', checksum: 'sha256', words: second },
  258: { content: 'elf', checksum: 'crc32', words: third },
  259: { content: 'elf', checksum: 'sha256', words: third },
  260: { content: 'elf', checksum: 'sha256', words: ['chipRevision'] },
};

export interface RawHeader {
  /** Size of the whole dump in bytes, from its first word. */
  readonly length: number;
  /** Lower half of the version word, such as 0x0103. */
  readonly version: number;
  /** `esp_chip_id_t`, as in the header of an app image. */
  readonly chipId: number;
  readonly content: Version['content'];
  readonly checksum: CoreChecksum;
  /** Size of the header in bytes. */
  readonly size: number;
  /** Offset of the checksum. */
  readonly checksumAt: number;
  readonly words: Readonly<Partial<Record<Version['words'][number], number>>>;
}

/** Reads the header at the start of `bytes`; null for an unknown version or an impossible length. */
export function readHeader(bytes: Uint8Array): RawHeader | null {
  if (bytes.length < 16) {
    return null;
  }
  const cursor = new ByteCursor(bytes, true);
  const [length, word] = [cursor.u32(), cursor.u32()];
  const version = versions[word & 0xffff];
  const size = 8 + 4 * (version?.words.length ?? 0);
  const checksumAt = version === undefined ? 0 : length - checksumSize[version.checksum];
  if (version === undefined || checksumAt < size || length > MAX_BYTES || bytes.length < size) {
    return null;
  }
  const { content, checksum } = version;
  const words = Object.fromEntries(version.words.map((name) => [name, cursor.u32()]));
  return { length, version: word & 0xffff, chipId: word >>> 16, content, checksum, size, checksumAt, words };
}

/** Returns true if the first words can be those of a newer, unknown version. */
export function isNewerVersion(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [length, word] = bytes.length < 16 ? [0, 0] : [view.getUint32(0, true), view.getUint32(4, true)];
  const [version, chipId] = [word & 0xffff, word >>> 16];
  return (
    !(version in versions) && version > 3 && version < 0x400 && chipId < 0x100 && length >= 16 && length <= MAX_BYTES
  );
}

export function isElf(bytes: Uint8Array): boolean {
  return bytes.length >= 16 && new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true) === ELF_MAGIC;
}

/** Bytes at the start of a core dump that `beginsCoreDump` needs: length and version. */
export const CORE_HEAD_SIZE = 8;

/**
 * Distinguishes a partition with a core dump from an empty one by its first words, before the rest is read. Does not
 * check the checksum.
 *
 * @param head The first {@link CORE_HEAD_SIZE} bytes of the partition, or more.
 * @param room Size of the partition in bytes.
 */
export function beginsCoreDump(head: Uint8Array, room: number): boolean {
  if (head.length < CORE_HEAD_SIZE) {
    return false;
  }
  const cursor = new ByteCursor(head, true);
  const [length, word] = [cursor.u32(), cursor.u32()];
  // Newer versions count too: their dump exists even if it cannot be read.
  const isPlausibleVersion = (word & 0xffff) < 0x400 && word >>> 16 < 0x100;
  return length === ELF_MAGIC || (length > CORE_HEAD_SIZE && length <= room && isPlausibleVersion);
}
