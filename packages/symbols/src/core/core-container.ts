/**
 * The container of a core dump: text of a console, the content of a `coredump` partition, or none (an ELF core file).
 * A header holds version and chip, and a checksum is at the end.
 */
import { fileText } from '../log-text/file-text.ts';
import { type CoreChecksum, isSound } from './core-checksum.ts';
import { CoreDumpError } from './core-failure.ts';
import { isElf, isNewerVersion, MAX_BYTES, readHeader } from './core-header.ts';
import { bytesOfText } from './dump-text.ts';
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
  return readBinary(dumpBytes(bytes), pause);
}

/**
 * Returns the dump in binary form: `bytes` themselves, or the decoded text in them.
 *
 * @throws CoreDumpError for bytes that are neither.
 */
export function dumpBytes(bytes: Uint8Array): Uint8Array {
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
    return bytes;
  }
  refuseForeignFile(bytes);
  const text = fileText(bytes) ?? (isNewerVersion(bytes) ? null : noisyText(bytes));
  return text === null ? bytes : bytesOfText(text);
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
