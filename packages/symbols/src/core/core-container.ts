/**
 * What a core dump is wrapped in: text from a console, the content of a `coredump` partition, or nothing at all (an ELF core file). A header names
 * version and chip, a checksum ends it.
 * Sources: ESP-IDF, `components/espcoredump/include_core_dump/esp_core_dump_types.h` (`core_dump_header_t`, version words); esp-coredump 1.x,
 * `corefile/loader.py` (which version has which header and checksum).
 */
import { ByteCursor } from '../byte-cursor.ts';
import { type CoreChecksum, checksumSize, isSound } from './core-checksum.ts';
import { CoreDumpError } from './core-failure.ts';
import { bytesOfText } from './dump-text.ts';

/** The largest that is looked at: 32 MB of PSRAM and what belongs to it. */
const MOST_BYTES = 64 * 1024 * 1024;
export const ELF_MAGIC = 0x464c_457f;

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

export interface CoreHeader {
  /** The version word's lower half, such as 0x0103. */
  readonly version: number;
  /** `esp_chip_id_t`, as in the header of an app image. */
  readonly chipId: number;
  /** Major × 100 + minor; null in versions that do not say. */
  readonly chipRevision: number | null;
  readonly checksum: CoreChecksum;
}

export interface CoreContainer {
  /** Null for a bare ELF core file, which has neither header nor checksum. */
  readonly header: CoreHeader | null;
  readonly content:
    | { readonly kind: 'elf'; readonly bytes: Uint8Array }
    | {
        readonly kind: 'binary';
        readonly bytes: Uint8Array;
        readonly tasks: number;
        /** Bytes of a task control block. */
        readonly tcbSize: number;
        readonly segments: number;
      };
}

/** Finds out what `bytes` are, and checks them. Throws a `CoreDumpError`. */
export async function readContainer(bytes: Uint8Array): Promise<CoreContainer> {
  if (bytes.length > MOST_BYTES) {
    throw new CoreDumpError('too-large');
  }
  if (bytes.length > 0 && bytes.every((byte) => byte === 0xff)) {
    throw new CoreDumpError('empty');
  }
  return readBinary(isText(bytes) ? bytesOfText(new TextDecoder().decode(bytes)) : bytes);
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
  const length = cursor.u32();
  if (length === ELF_MAGIC) {
    return true;
  }
  const word = cursor.u32();
  return length > CORE_HEAD_SIZE && length <= room && isPlausibleVersion(word);
}

/** True: a version of the families that are known, for a chip ID that can be. Newer versions count. */
const isPlausibleVersion = (word: number) => (word & 0xffff) < 0x400 && word >>> 16 < 0x100;

/** No core dump in its binary form begins with 64 printable characters: the second word of its header has zeros. */
export function isText(bytes: Uint8Array): boolean {
  return bytes
    .subarray(0, 64)
    .every((byte) => byte === 0x1b || (byte >= 9 && byte <= 13) || (byte >= 32 && byte !== 127));
}

async function readBinary(bytes: Uint8Array): Promise<CoreContainer> {
  if (bytes.length < 16) {
    throw new CoreDumpError('truncated');
  }
  const cursor = new ByteCursor(bytes, true);
  const length = cursor.u32();
  if (length === ELF_MAGIC) {
    return { header: null, content: { kind: 'elf', bytes } };
  }
  const word = cursor.u32();
  const version = versions[word & 0xffff];
  const chipId = word >>> 16;
  const headerSize = 8 + 4 * (version?.words.length ?? 0);
  if (version === undefined) {
    // A version of the families that are known, and a length that can be, speak for a newer dump rather than for none at all.
    const isPlausible = isPlausibleVersion(word) && length <= MOST_BYTES;
    throw new CoreDumpError(isPlausible ? 'unknown-version' : 'unreadable');
  }
  const end = length - checksumSize[version.checksum];
  if (end < headerSize) {
    throw new CoreDumpError('unreadable');
  }
  if (length > bytes.length) {
    throw new CoreDumpError('truncated');
  }
  if (!(await isSound(version.checksum, bytes.subarray(0, end), bytes.subarray(end, length)))) {
    throw new CoreDumpError('checksum');
  }
  const words = new Map(version.words.map((name) => [name, cursor.u32()] as const));
  const header = {
    version: word & 0xffff,
    chipId,
    chipRevision: words.get('chipRevision') ?? null,
    checksum: version.checksum,
  };
  const content = bytes.subarray(headerSize, end);
  return version.content === 'elf'
    ? { header, content: { kind: 'elf', bytes: content } }
    : {
        header,
        content: {
          kind: 'binary',
          bytes: content,
          tasks: words.get('tasks') ?? 0,
          tcbSize: words.get('tcbSize') ?? 0,
          segments: words.get('segments') ?? 0,
        },
      };
}
