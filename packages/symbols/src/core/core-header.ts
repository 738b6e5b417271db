/**
 * The header of a core dump: its length with header and checksum, its version, its chip.
 * Sources: ESP-IDF, `components/espcoredump/include_core_dump/esp_core_dump_types.h` (`core_dump_header_t`, version words); esp-coredump 1.x,
 * `corefile/loader.py` (which version has which header and checksum).
 */
import { ByteCursor } from '../byte-cursor.ts';
import { type CoreChecksum, checksumSize } from './core-checksum.ts';

/** Largest dump that is read, in bytes: 32 MiB of PSRAM and what belongs to it. */
export const MAX_BYTES = 64 * 1024 * 1024;
const ELF_MAGIC = 0x464c_457f;

interface Version {
  readonly content: 'binary' | 'elf';
  readonly checksum: CoreChecksum;
  /** Words of the header, behind length and version. */
  readonly words: readonly ('tasks' | 'tcbSize' | 'segments' | 'chipRevision')[];
}

const first = ['tasks', 'tcbSize'] as const;
const second = [...first, 'segments'] as const;
const third = [...second, 'chipRevision'] as const;

/** By the lower half of the version word. */
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
  /** Bytes of the dump in all, as its first word says. */
  readonly length: number;
  /** The version word's lower half, such as 0x0103. */
  readonly version: number;
  /** `esp_chip_id_t`, as in the header of an app image. */
  readonly chipId: number;
  readonly content: Version['content'];
  readonly checksum: CoreChecksum;
  /** Bytes of the header. */
  readonly size: number;
  /** Offset of the checksum. */
  readonly checksumAt: number;
  readonly words: Readonly<Partial<Record<Version['words'][number], number>>>;
}

/** Reads the header at the start of `bytes`; null for an unknown version, and for a length that cannot be. */
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

/** True: the first words can be those of a version that is newer than the known ones. */
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
 * Tells a partition that holds a core dump from an empty one by its first words alone, before all of it is read. The checksum is not looked at.
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
  // Newer versions count: their dump is there, even if it cannot be read.
  const isPlausibleVersion = (word & 0xffff) < 0x400 && word >>> 16 < 0x100;
  return length === ELF_MAGIC || (length > CORE_HEAD_SIZE && length <= room && isPlausibleVersion);
}
