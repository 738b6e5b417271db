/**
 * The partition table, which lists the contents of flash (ESP-IDF API guide, "Partition Tables"; byte layout:
 * `esp_flash_partitions.h`). Entries have 32 bytes, little endian: `AA 50`, type, subtype, offset, size, name, flags.
 * Then follow `EB EB`, 14 times `FF`, the MD5 of all entries, and `FF` to the end. `partition-faults.ts` finds
 * faults; `partition-types.ts` names the types.
 */

import { addressText, asciiField, hasBytesAt, isErased, viewOf } from '../../core/bytes.ts';
import { md5Bytes } from '../../core/md5.ts';
import { ImageError } from '../../images/image-error.ts';

/** Default flash offset of the table (`CONFIG_PARTITION_TABLE_OFFSET`). */
export const usualTableOffset = 0x8000;
/** Bytes of flash reserved for the table: a whole sector, including a signature. */
export const tableSectorSize = 0x1000;
/** Largest size of the table itself, in bytes. */
export const maximumTableSize = 0xc00;

const ENTRY_SIZE = 32;
const NAME_SIZE = 16;
const entryMark = Uint8Array.of(0xaa, 0x50);
const md5Mark = Uint8Array.of(0xeb, 0xeb);
const FLAG_ENCRYPTED = 1;
const FLAG_READ_ONLY = 2;

export interface Partition {
  readonly name: string;
  /** Values are in `partition-types.ts`. */
  readonly type: number;
  readonly subtype: number;
  /** Flash offset in bytes. */
  readonly offset: number;
  /** Size in bytes. */
  readonly size: number;
  readonly encrypted: boolean;
  readonly readOnly: boolean;
}

export interface PartitionTable {
  /** In the order of the table. */
  readonly partitions: readonly Partition[];
  /** False for tables of old builds, which have no MD5. */
  readonly hasMd5: boolean;
  /** Bytes up to the end of the entries and their MD5. */
  readonly size: number;
}

/** Returns true if a table may begin here, judged by its first entry. */
export function startsLikeTable(bytes: Uint8Array, at = 0): boolean {
  return hasBytesAt(bytes, at, entryMark) && at + ENTRY_SIZE <= bytes.length && nameAt(bytes, at) !== null;
}

/**
 * Reads a table.
 *
 * @throws ImageError `not-partition-table`, `table-cut-short`, `table-md5`.
 */
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

/**
 * Reads a name. It may be UTF-8 that is cut within its last character. Returns null if it contains control
 * characters.
 */
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
