/**
 * The partition table, which lists the contents of flash (ESP-IDF API guide, "Partition Tables"; byte layout:
 * `esp_flash_partitions.h`). Entries have 32 bytes, little endian: `AA 50`, type, subtype, offset, size, name, flags.
 * Then follow `EB EB`, 14 times `FF`, the MD5 of all entries, and `FF` to the end. `partition-faults.ts` finds
 * faults; `partition-types.ts` names the types.
 */

import { addressText, asciiField, hasBytesAt, isErased, viewOf } from '../../core/bytes.ts';
import { md5Bytes } from '../../core/md5.ts';
import { sectorSize } from '../../core/region.ts';
import { ImageError, orNull } from '../../images/image-error.ts';
import { type ChipName, chipFacts } from '../chips/chip-facts.ts';
import { isApp, isHead, partitionType } from './partition-types.ts';

/** Default flash offset of the table (`CONFIG_PARTITION_TABLE_OFFSET`). */
export const usualTableOffset = 0x8000;
/**
 * Last place of a table that is searched. Bootloaders of esp-matter (table at 0xC000) and of secure boot (0xD000 to
 * 0x10000) are larger than usual.
 */
const LAST_TABLE_OFFSET = 0x20000;
/** Bytes of flash reserved for the table: a whole sector, including a signature. */
export const tableSectorSize = 0x1000;
/** Largest size of the table itself, in bytes. */
export const maximumTableSize = 0xc00;

/** Bytes of an entry. The first one decides if a table may begin at a place. */
export const ENTRY_SIZE = 32;
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
 * @throws ImageError `not-partition-table`, `table-cut-short`, `table-md5`, `table-without-end`.
 */
export function readPartitionTable(bytes: Uint8Array): PartitionTable {
  if (!startsLikeTable(bytes)) {
    throw new ImageError('not-partition-table');
  }
  const partitions: Partition[] = [];
  const end = Math.min(bytes.length, maximumTableSize);
  let hasMd5 = false;
  let at = 0;
  // A file may end with its last entry: the rest of the sector is erased by the write.
  while (at < end && !isErased(bytes.subarray(at, at + ENTRY_SIZE))) {
    if (at + ENTRY_SIZE > end) {
      throw new ImageError('table-cut-short');
    }
    if (hasBytesAt(bytes, at, md5Mark)) {
      if (hasMd5 || !hasBytesAt(bytes, at + 16, md5Bytes(bytes.subarray(0, at)))) {
        throw new ImageError('table-md5');
      }
      hasMd5 = true;
    } else {
      partitions.push(readPartition(bytes, at));
    }
    at += ENTRY_SIZE;
  }
  if (at >= maximumTableSize) {
    throw new ImageError('table-without-end');
  }
  return { partitions, hasMd5, size: at };
}

/** A table and its flash offset, or its position in a file. */
export interface FoundTable {
  readonly table: PartitionTable;
  readonly offset: number;
}

/** Offsets of the sectors in which a table can be, from `start` on. */
export function tablePlaces(start = 0): number[] {
  const first = Math.ceil(start / sectorSize);
  return Array.from({ length: LAST_TABLE_OFFSET / sectorSize - first + 1 }, (_, index) => (first + index) * sectorSize);
}

/**
 * Returns the places at which a newer table shows that `found` is no longer used: those of its data, and the start of
 * its first app. A program that used `found` would have its own data there.
 */
export function placesOfNewer({ table, offset }: FoundTable): number[] {
  return tablePlaces(offset + tableSectorSize).filter((at) =>
    table.partitions.some(
      (one) =>
        one.type !== partitionType.partitionTable &&
        (isApp(one) ? at === one.offset : at >= one.offset && at < one.offset + one.size),
    ),
  );
}

/**
 * Finds the table in the contents of flash. Builds may change its offset (`CONFIG_PARTITION_TABLE_OFFSET`). A table of
 * an earlier build may be left in front of it.
 *
 * @param start Position from which on it may be.
 */
export function findTableIn(bytes: Uint8Array, start = 0): FoundTable | null {
  const read = (offset: number): FoundTable | null => {
    const table = startsLikeTable(bytes, offset) ? orNull(() => readPartitionTable(bytes.subarray(offset))) : null;
    return table === null ? null : { table, offset };
  };
  let found: FoundTable | null = null;
  for (const place of tablePlaces(start)) {
    if (found === null || placesOfNewer(found).includes(place)) {
      found = read(place) ?? found;
    }
  }
  return found;
}

/** Returns the offset that a table is made for: its own entry, or the sector before its first partition. */
export function ownTableOffset({ partitions }: PartitionTable): number | null {
  const own = partitions.find((one) => one.type === partitionType.partitionTable && isHead(one));
  const first = Math.min(...partitions.filter((one) => !isHead(one)).map(({ offset }) => offset));
  return own?.offset ?? (Number.isFinite(first) && first >= usualTableOffset ? first - tableSectorSize : null);
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

interface PartitionedBoard {
  readonly info: { readonly chip: ChipName };
  /** Null: it has none, or its flash cannot be read. */
  readonly table: PartitionTable | null;
  /** Flash offset of the table; default 0x8000. */
  readonly tableOffset?: number;
}

/** Returns the bootloader, the partition table and the partitions, by address. A chip without partition tables has none. */
export function boardPartitions({ info, table, tableOffset = usualTableOffset }: PartitionedBoard): Partition[] {
  const { hasPartitions, bootloaderOffset } = chipFacts[info.chip];
  if (!hasPartitions) {
    return [];
  }
  const listed = table?.partitions ?? [];
  const unlisted = [
    reserved('bootloader', partitionType.bootloader, bootloaderOffset, tableOffset - bootloaderOffset),
    reserved('partition table', partitionType.partitionTable, tableOffset, tableSectorSize),
  ].filter(({ offset }) => listed.every((partition) => partition.offset !== offset));
  return [...unlisted, ...listed].toSorted((one, other) => one.offset - other.offset);
}

function reserved(name: string, type: number, offset: number, size: number): Partition {
  return { name, type, subtype: 0, offset, size, encrypted: false, readOnly: false };
}
