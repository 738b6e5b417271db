/**
 * The container of a core dump: text of a console, the content of a `coredump` partition, or none (an ELF core file).
 * A header holds version and chip, and a checksum is at the end.
 */
import { fileText } from '@wirebench/port/given-text';
import { type CoreChecksum, isSound } from './core-checksum.ts';
import { CoreDumpError } from './core-failure.ts';
import { isElf, isNewerVersion, MAX_BYTES, readHeader } from './core-header.ts';
import { dumpOfText, type TextDump } from './dump-text.ts';
import { looksEncrypted, refuseForeignFile } from './foreign-file.ts';

export interface CoreHeader {
  /** Lower half of the version word, such as 0x0103. */
  readonly version: number;
  /** `esp_chip_id_t`, as in the header of an app image. */
  readonly chipId: number;
  /** Major × 100 + minor; null in versions without it. */
  readonly chipRevision: number | null;
  readonly checksum: CoreChecksum;
}

export interface CoreContainer {
  /** Base64 lines of the text that are not part of the dump; absent without any. */
  readonly skipped?: TextDump['skipped'];
  /** Null for a bare ELF core file, which has neither header nor checksum. */
  readonly header: CoreHeader | null;
  readonly content:
    | { readonly kind: 'elf'; readonly bytes: Uint8Array }
    | {
        readonly kind: 'binary';
        readonly bytes: Uint8Array;
        readonly tasks: number;
        /** Size of a task control block in bytes. */
        readonly tcbSize: number;
        readonly segments: number;
      };
}

/**
 * Identifies and checks the content of a file.
 *
 * @param pause Awaited between slices of a large dump.
 * @throws CoreDumpError
 */
export async function readContainer(bytes: Uint8Array, pause?: () => Promise<void>): Promise<CoreContainer> {
  const { bytes: found, skipped } = await dumpIn(bytes, pause);
  return { ...(await readBinary(found, pause)), ...(skipped.length > 0 && { skipped }) };
}

/**
 * Finds the core dump in the content of a whole flash, by the partition table in it. Source: ESP-IDF Programming Guide,
 * "Partition Tables", and `components/bootloader_support/include/esp_flash_partitions.h`.
 */

/** Offsets at which a partition table may begin: `CONFIG_PARTITION_TABLE_OFFSET` is a multiple of a sector. */
const [FIRST_TABLE, LAST_TABLE, SECTOR] = [0x1000, 0x40000, 0x1000];
const ENTRY_SIZE = 32;
/** First two bytes of an entry, and of the entry that holds the MD5 of the others. */
const [ENTRY_MAGIC, MD5_MAGIC] = [0x50aa, 0xebeb];
const MAX_ENTRIES = 95;
const [TYPE_DATA, SUBTYPE_COREDUMP] = [1, 3];

/**
 * Returns the content of the coredump partition in the content of a flash; that of a partition with a dump where there are
 * several. Null if the bytes hold no partition table, or one without such a partition.
 */
function coreDumpPartition(flash: Uint8Array): Uint8Array | null {
  const view = new DataView(flash.buffer, flash.byteOffset, flash.length);
  const word = (at: number) => view.getUint32(at, true);
  for (let table = FIRST_TABLE; table <= LAST_TABLE; table += SECTOR) {
    const found: Uint8Array[] = [];
    for (let index = 0; index < MAX_ENTRIES; index++) {
      const at = table + index * ENTRY_SIZE;
      const magic = at + ENTRY_SIZE <= flash.length ? view.getUint16(at, true) : 0;
      if (magic !== ENTRY_MAGIC) {
        // A table ends with its MD5 or with erased flash. Anything else is no table.
        found.length = magic === MD5_MAGIC || magic === 0xffff ? found.length : 0;
        break;
      }
      const [offset, size] = [word(at + 4), word(at + 8)];
      if (flash[at + 2] === TYPE_DATA && flash[at + 3] === SUBTYPE_COREDUMP && offset + size <= flash.length) {
        found.push(flash.subarray(offset, offset + size));
      }
    }
    if (found.length > 0) {
      return found.find((content) => content[0] !== 0xff) ?? found[0] ?? null;
    }
  }
  return null;
}

/**
 * Returns the dump in binary form: `bytes` themselves, the partition in them, or the decoded text in them.
 *
 * @throws CoreDumpError for any other bytes.
 */
export async function dumpIn(bytes: Uint8Array, pause?: () => Promise<void>): Promise<TextDump> {
  if (bytes.length > MAX_BYTES) {
    throw new CoreDumpError('too-large');
  }
  const [first] = bytes;
  if ((first === 0xff || first === 0) && bytes.every((byte) => byte === first)) {
    throw new CoreDumpError(
      'empty',
      first === 0 ? { text: 'The coredump partition is empty: it holds nothing but zeros.' } : {},
    );
  }
  if (isElf(bytes) || readHeader(bytes) !== null) {
    return { bytes, skipped: [] };
  }
  const partition = coreDumpPartition(bytes);
  if (partition !== null) {
    return dumpIn(partition, pause);
  }
  refuseForeignFile(bytes);
  const text = fileText(bytes) ?? (isNewerVersion(bytes) ? null : noisyText(bytes));
  return text === null ? { bytes, skipped: [] } : dumpOfText(text, pause);
}

/**
 * Returns the text of a log that is mostly noise, as from a wrong baud rate, if it has the mark of a dump; null
 * without the mark.
 */
function noisyText(bytes: Uint8Array): string | null {
  const text = new TextDecoder('latin1').decode(bytes);
  return text.includes('= CORE DUMP START =') ? text : null;
}

async function readBinary(bytes: Uint8Array, pause?: () => Promise<void>): Promise<CoreContainer> {
  if (isElf(bytes)) {
    return { header: null, content: { kind: 'elf', bytes } };
  }
  if (bytes.length < 16) {
    throw new CoreDumpError('truncated');
  }
  const raw = readHeader(bytes);
  if (raw === null) {
    throw new CoreDumpError(
      isNewerVersion(bytes) ? 'unknown-version' : looksEncrypted(bytes) ? 'unreadable' : 'foreign',
    );
  }
  const { length, version, chipId, checksum, size, checksumAt, words } = raw;
  if (length > bytes.length) {
    throw new CoreDumpError('truncated', { missing: length - bytes.length });
  }
  if (!(await isSound(checksum, bytes.subarray(0, checksumAt), bytes.subarray(checksumAt, length), pause))) {
    throw new CoreDumpError('checksum');
  }
  const header = { version, chipId, chipRevision: words.chipRevision ?? null, checksum };
  const content = bytes.subarray(size, checksumAt);
  const { tasks = 0, tcbSize = 0, segments = 0 } = words;
  return raw.content === 'elf'
    ? { header, content: { kind: 'elf', bytes: content } }
    : { header, content: { kind: 'binary', bytes: content, tasks, tcbSize, segments } };
}
