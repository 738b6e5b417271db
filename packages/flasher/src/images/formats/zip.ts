/**
 * Zip archives (PKWARE, APPNOTE.TXT) with limits, because a dropped file may come from anywhere. Uses the central
 * directory, supports stored and deflated files, and trusts no stated size.
 */
import { Inflate } from 'fflate';
import { hasBytesAt, viewOf } from '../../core/bytes.ts';
import { segmentsOf } from '../../core/named-files.ts';
import { crc32 } from '../crc32.ts';
import { ImageError, type ImageFault } from '../image-error.ts';
import type { ImageFormat } from './image-format.ts';

const END_MARK = 0x06054b50;
const END_SIZE = 22;
const MAXIMUM_COMMENT = 0xffff;
const ENTRY_MARK = 0x02014b50;
const ENTRY_SIZE = 46;
const LOCAL_MARK = 0x04034b50;
const LOCAL_SIZE = 30;
const FLAG_ENCRYPTED = 0x1;
const STORED = 0;
const DEFLATED = 8;
/** Bytes per push into the inflater. One push expands by a factor of at most 1,032. */
const INPUT_CHUNK = 16_384;

/**
 * Limits: number of files, and bytes of all unpacked files. The latter is four times the largest flash of a current
 * chip.
 */
export const zipLimits = { files: 2_000, bytes: 64 * 1_048_576 } as const;

/** An unpacked file of an archive. */
export interface ZipFile {
  /** Path within the archive, with `/` as separator. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export function startsLikeZip(bytes: Uint8Array): boolean {
  return hasBytesAt(bytes, 0, Uint8Array.of(0x50, 0x4b, 3, 4)) || hasBytesAt(bytes, 0, Uint8Array.of(0x50, 0x4b, 5, 6));
}

/**
 * Unpacks the files in the order of the archive, without folders and without the files that macOS adds.
 *
 * @param room Limit of all unpacked files together, in bytes.
 * @throws ImageError `not-zip`, `zip-damaged`, `zip-encrypted`, `zip-method`, `zip-too-large`, `zip-unsafe-name`.
 */
export function readZip(bytes: Uint8Array, room: number = zipLimits.bytes): ZipFile[] {
  const entries = new Map<string, Entry>();
  let total = 0;
  for (const entry of readDirectory(bytes)) {
    if (entry.name.endsWith('/') || isMacOsExtra(entry.name)) {
      continue;
    }
    const name = archivePath(entry.name);
    if (name === null) {
      throw new ImageError('zip-unsafe-name', { where: JSON.stringify(entry.name) });
    }
    if (entries.has(name)) {
      throw new ImageError('zip-damaged', { where: name });
    }
    entries.set(name, entry);
    total += entry.size;
  }
  if (total > room) {
    throw new ImageError('zip-too-large');
  }
  return [...entries].map(([name, entry]) => ({ name, bytes: unpack(bytes, entry) }));
}

/** Levels of archives in archives that are opened. Download pages often pack an archive once more. */
const MAXIMUM_DEPTH = 3;

/**
 * Unpacks the files, and replaces inner archives by their files as `inner.zip/name`. An inner archive that cannot be
 * opened is kept as a file. The limits of one archive apply to all of them together.
 *
 * @param staysPacked Returns true for the files of an inner archive that is kept as a file.
 * @throws ImageError as `readZip` does.
 */
export function readNestedZip(
  bytes: Uint8Array,
  staysPacked: (files: readonly ZipFile[]) => boolean = () => false,
): ZipFile[] {
  let room: number = zipLimits.bytes;
  const open = (archive: Uint8Array, path: string, depth: number): ZipFile[] => {
    const files = readZip(archive, room);
    room -= files.reduce((sum, file) => sum + file.bytes.length, 0);
    return files.flatMap(({ name, bytes: content }) => {
      const file = { name: `${path}${name}`, bytes: content };
      return depth < MAXIMUM_DEPTH && startsLikeZip(content) ? openInner(file, depth) : [file];
    });
  };
  const openInner = (file: ZipFile, depth: number): ZipFile[] => {
    try {
      return staysPacked(readZip(file.bytes, room)) ? [file] : open(file.bytes, `${file.name}/`, depth + 1);
    } catch (error) {
      if (error instanceof ImageError && error.code !== 'zip-too-large') {
        return [file];
      }
      throw error;
    }
  };
  return open(bytes, '', 1);
}

interface Entry {
  readonly name: string;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  readonly localAt: number;
}

function readDirectory(bytes: Uint8Array): Entry[] {
  const view = viewOf(bytes);
  const end = findEnd(view);
  const [count, size, start] = [
    view.getUint16(end + 10, true),
    view.getUint32(end + 12, true),
    view.getUint32(end + 16, true),
  ];
  if (count > zipLimits.files) {
    throw new ImageError('zip-too-large');
  }
  if (start + size > end) {
    throw new ImageError('zip-damaged');
  }
  const entries: Entry[] = [];
  let at = start;
  for (let index = 0; index < count; index++) {
    if (at + ENTRY_SIZE > end || view.getUint32(at, true) !== ENTRY_MARK) {
      throw new ImageError('zip-damaged');
    }
    const nameLength = view.getUint16(at + 28, true);
    const next = at + ENTRY_SIZE + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (next > end) {
      throw new ImageError('zip-damaged');
    }
    entries.push({
      name: new TextDecoder()
        .decode(bytes.subarray(at + ENTRY_SIZE, at + ENTRY_SIZE + nameLength))
        .replaceAll('\\', '/'),
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      crc: view.getUint32(at + 16, true),
      packedSize: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      localAt: view.getUint32(at + 42, true),
    });
    at = next;
  }
  return entries;
}

/** Finds the end record, which is last, before a comment of up to 64 KiB. */
function findEnd(view: DataView): number {
  const lowest = Math.max(0, view.byteLength - END_SIZE - MAXIMUM_COMMENT);
  for (let at = view.byteLength - END_SIZE; at >= lowest; at--) {
    if (view.getUint32(at, true) === END_MARK && at + END_SIZE + view.getUint16(at + 20, true) === view.byteLength) {
      return at;
    }
  }
  throw new ImageError('not-zip');
}

function unpack(bytes: Uint8Array, { name, flags, method, crc, packedSize, size, localAt }: Entry): Uint8Array {
  const fail = (code: ImageFault, options?: ErrorOptions): never => {
    throw new ImageError(code, { where: name, ...options });
  };
  if ((flags & FLAG_ENCRYPTED) !== 0) {
    fail('zip-encrypted');
  }
  const view = viewOf(bytes);
  if (localAt + LOCAL_SIZE > bytes.length || view.getUint32(localAt, true) !== LOCAL_MARK) {
    fail('zip-damaged');
  }
  const start = localAt + LOCAL_SIZE + view.getUint16(localAt + 26, true) + view.getUint16(localAt + 28, true);
  if (start + packedSize > bytes.length) {
    fail('zip-damaged');
  }
  const packed = bytes.subarray(start, start + packedSize);
  const unpacked = contentOf(packed);
  if (unpacked.length !== size || crc32(unpacked) !== crc) {
    fail('zip-damaged');
  }
  return unpacked;

  function contentOf(data: Uint8Array): Uint8Array {
    switch (method) {
      case STORED:
        return data.slice();
      case DEFLATED:
        try {
          return inflate(data, size);
        } catch (cause) {
          return fail('zip-damaged', { cause });
        }
      default:
        return fail('zip-method');
    }
  }
}

/** Inflates the data, and stops as soon as it exceeds the stated size. */
function inflate(packed: Uint8Array, size: number): Uint8Array {
  const unpacked = new Uint8Array(size);
  let length = 0;
  const inflater = new Inflate((chunk) => {
    if (length + chunk.length > size) {
      throw new RangeError('More than announced');
    }
    unpacked.set(chunk, length);
    length += chunk.length;
  });
  for (let at = 0; at < packed.length; at += INPUT_CHUNK) {
    inflater.push(packed.subarray(at, at + INPUT_CHUNK), at + INPUT_CHUNK >= packed.length);
  }
  return unpacked.subarray(0, length);
}

/**
 * Returns a path within an archive with `/` as separator, and without `.` and `..`: `./a/b/../c` is `a/c`. Null for a path that
 * points outside.
 */
export function archivePath(path: string): string | null {
  const segments = segmentsOf(path);
  const isOutside = /^(?:[a-z]:|[/\\])|\p{Cc}/iu.test(path) || segments[0] === '..';
  return isOutside || segments.length === 0 ? null : segments.join('/');
}

function isMacOsExtra(name: string): boolean {
  const segments = name.split('/');
  return segments.includes('__MACOSX') || segments.at(-1) === '.DS_Store';
}

export const zip = {
  kind: 'zip',
  name: 'Zip',
  holds: 'files',
  startsLike: startsLikeZip,
} as const satisfies ImageFormat;
