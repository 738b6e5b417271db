/**
 * The partition table, which says what is where in flash (ESP-IDF API guide, "Partition Tables"; the layout of the bytes:
 * `esp_flash_partitions.h`). Entries of 32 bytes, little endian: `AA 50`, type, subtype, offset, size, name, flags; then
 * `EB EB`, 14 times `FF` and the MD5 of all entries; then `FF`. Faults are looked for in
 * `partition-faults.ts`, names of types are in `partition-types.ts`.
 */

import { addressText, asciiField, hasBytesAt, isErased, viewOf } from '../../core/bytes.ts';
import { md5Bytes } from '../../core/md5.ts';
import { ImageError } from '../../images/image-error.ts';

/** Where the table is unless the build says otherwise (`CONFIG_PARTITION_TABLE_OFFSET`). */
export const usualTableOffset = 0x8000;
/** Bytes of flash that belong to the table: the whole sector, signature included. */
export const tableSectorSize = 0x1000;
/** Bytes of the table itself, at most. */
export const maximumTableSize = 0xc00;

const ENTRY_SIZE = 32;
const NAME_SIZE = 16;
const entryMark = Uint8Array.of(0xaa, 0x50);
const md5Mark = Uint8Array.of(0xeb, 0xeb);
const FLAG_ENCRYPTED = 1;
const FLAG_READ_ONLY = 2;

export interface Partition {
  readonly name: string;
  /** See `partition-types.ts`. */
  readonly type: number;
  readonly subtype: number;
  /** Bytes from the start of the flash. */
  readonly offset: number;
  /** Bytes. */
  readonly size: number;
  readonly encrypted: boolean;
  readonly readOnly: boolean;
}

export interface PartitionTable {
  /** In the order of the table. */
  readonly partitions: readonly Partition[];
  /** Tables of old builds carry no MD5. */
  readonly hasMd5: boolean;
  /** Bytes up to the end of the entries and their MD5. */
  readonly size: number;
}

/** Whether a table may begin here: a first entry whose fields are possible. */
export function startsLikeTable(bytes: Uint8Array, at = 0): boolean {
  return hasBytesAt(bytes, at, entryMark) && at + ENTRY_SIZE <= bytes.length && nameAt(bytes, at) !== null;
}

/** @throws ImageError `not-partition-table`, `table-cut-short`, `table-md5`. */
export function readPartitionTable(bytes: Uint8Array): PartitionTable {
  if (!startsLikeTable(bytes)) {
    throw new ImageError('not-partition-table');
  }
  const partitions: Partition[] = [];
  const end = Math.min(bytes.length, maximumTableSize);
  let at = 0;
  while (at < end && !isErased(bytes.subarray(at, at + ENTRY_SIZE))) {
    if (at + ENTRY_SIZE > end) {
      throw new ImageError('table-cut-short');
    }
    if (hasBytesAt(bytes, at, md5Mark)) {
      if (!hasBytesAt(bytes, at + 16, md5Bytes(bytes.subarray(0, at)))) {
        throw new ImageError('table-md5');
      }
      return { partitions, hasMd5: true, size: at + ENTRY_SIZE };
    }
    partitions.push(readPartition(bytes, at));
    at += ENTRY_SIZE;
  }
  return { partitions, hasMd5: false, size: at };
}

function readPartition(bytes: Uint8Array, at: number): Partition {
  const name = nameAt(bytes, at);
  if (!hasBytesAt(bytes, at, entryMark) || name === null) {
    throw new ImageError('not-partition-table', { where: addressText(at) });
  }
  const view = viewOf(bytes);
  const flags = view.getUint32(at + 28, true);
  return {
    name,
    type: view.getUint8(at + 2),
    subtype: view.getUint8(at + 3),
    offset: view.getUint32(at + 4, true),
    size: view.getUint32(at + 8, true),
    encrypted: (flags & FLAG_ENCRYPTED) !== 0,
    readOnly: (flags & FLAG_READ_ONLY) !== 0,
  };
}

/** UTF-8 is allowed in names and may be cut within its last character; control characters are not. */
function nameAt(bytes: Uint8Array, at: number): string | null {
  const ascii = asciiField(bytes, at + 12, NAME_SIZE);
  if (ascii !== null) {
    return ascii;
  }
  const field = bytes.subarray(at + 12, at + 12 + NAME_SIZE);
  const end = field.indexOf(0);
  const text = new TextDecoder().decode(field.subarray(0, end < 0 ? NAME_SIZE : end)).replace(/\ufffd$/, '');
  return /[\p{Cc}\ufffd]/u.test(text) ? null : text;
}
