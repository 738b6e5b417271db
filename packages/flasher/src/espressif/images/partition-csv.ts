/**
 * Partition tables as text and as bytes, in the format of ESP-IDF's `gen_esp32part.py` (ESP-IDF API guide, "Partition
 * Tables", "Creating Custom Tables"): `Name, Type, SubType, Offset, Size, Flags`, a partition a line.
 */
import { viewOf } from '../../core/bytes.ts';
import { md5Bytes } from '../../core/md5.ts';
import {
  maximumTableSize,
  type Partition,
  type PartitionTable,
  tableSectorSize,
  usualTableOffset,
} from './partition-table.ts';
import { isApp, partitionType, subtypeName, subtypeNumber, typeName, typeNumber } from './partition-types.ts';

const ENTRY_SIZE = 32;
/** Bytes of a name, without a terminator. */
const partitionNameSize = 16;
const KIB = 1_024;
const MIB = 1_048_576;
/** Subtype of a data partition without one: `undefined`. */
const UNDEFINED_DATA = 6;

/** A line that is not a partition. */
export class PartitionCsvError extends Error {
  /** Number of the line, from 1. */
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.name = 'PartitionCsvError';
    this.line = line;
  }
}

/** Alignment of a partition's offset in bytes. */
function partitionAlignment(partition: Pick<Partition, 'type'>): number {
  return isApp({ ...partition, subtype: 0 }) ? 0x10000 : 0x1000;
}

/**
 * Reads a table from text. Missing offsets follow the partition of the line before, at the next multiple of 64 KiB for
 * apps and of 4 KiB for data. A negative size is the address at which the partition ends.
 *
 * @throws PartitionCsvError for the first line that is not a partition.
 */
export function parsePartitionCsv(text: string, tableOffset = usualTableOffset): Partition[] {
  const partitions: Partition[] = [];
  let end = tableOffset + tableSectorSize;
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim();
    if (line !== '' && !line.startsWith('#')) {
      const partition = parseLine(line, index + 1, end);
      partitions.push(partition);
      end = partition.offset + partition.size;
    }
  }
  return partitions;
}

/** @param end First address that may be free, for partitions without an offset. */
function parseLine(line: string, number: number, end: number): Partition {
  const [name = '', typeText = '', subtypeText = '', offsetText = '', sizeText = '', flagText = ''] = line
    .split(',')
    .map((field) => field.trim());
  const fault = (message: string) => new PartitionCsvError(number, message);
  if (name === '') {
    throw fault('The name is missing.');
  }
  if (new TextEncoder().encode(name).length > partitionNameSize) {
    throw fault(`The name “${name}” is longer than ${partitionNameSize} bytes.`);
  }
  const type = typeNumber(typeText) ?? byteOf(typeText);
  if (type === null) {
    throw fault(typeText === '' ? 'The type is missing.' : `“${typeText}” is no type of a partition.`);
  }
  const subtype = subtypeText === '' ? defaultSubtype(type) : (subtypeNumber(type, subtypeText) ?? byteOf(subtypeText));
  if (subtype === null) {
    throw fault(subtypeText === '' ? 'An app needs a subtype.' : `“${subtypeText}” is no subtype of ${typeText}.`);
  }
  const size = parseSize(sizeText);
  if (size === null) {
    throw fault(sizeText === '' ? 'The size is missing.' : `“${sizeText}” is no size.`);
  }
  const given = offsetText === '' ? null : parseSize(offsetText);
  if (offsetText !== '' && given === null) {
    throw fault(`“${offsetText}” is no offset.`);
  }
  const step = partitionAlignment({ type });
  const offset = given ?? Math.ceil(end / step) * step;
  const length = size < 0 ? -size - offset : size;
  if (offset < 0 || offset > 0xffff_ffff || length < 0 || length > 0xffff_ffff) {
    throw fault('Offset and size are not within the flash.');
  }
  const flags = flagText.split(':').filter((flag) => flag !== '');
  const unknown = flags.find((flag) => flag !== 'encrypted' && flag !== 'readonly');
  if (unknown !== undefined) {
    throw fault(`“${unknown}” is no flag. Flags are encrypted and readonly.`);
  }
  return {
    name,
    type,
    subtype,
    offset,
    size: length,
    encrypted: flags.includes('encrypted'),
    readOnly: flags.includes('readonly'),
  };
}

function defaultSubtype(type: number): number | null {
  return type === partitionType.app ? null : UNDEFINED_DATA;
}

function byteOf(text: string): number | null {
  const value = parseSize(text);
  return value === null || value < 0 || value > 0xff ? null : value;
}

/** Parses `0x9000`, `4096`, `24K`, `1M`, also with a minus sign. Returns null for anything else. */
export function parseSize(text: string): number | null {
  const match = /^(-?)(0x[\da-f]+|\d+)(k|m)?$/i.exec(text.trim());
  if (match === null) {
    return null;
  }
  const [, sign, digits = '', unit = ''] = match;
  const factor = unit === '' ? 1 : unit.toLowerCase() === 'k' ? KIB : MIB;
  const value = Number(digits) * factor;
  return Number.isSafeInteger(value) ? (sign === '-' ? -value : value) : null;
}

/** Formats a size as the CSV has it: `1M`, `24K`, `0x1234`. */
export function formatSize(size: number): string {
  if (size % MIB === 0) {
    return `${size / MIB}M`;
  }
  return size % KIB === 0 ? `${size / KIB}K` : `0x${size.toString(16)}`;
}

/** Formats a table as text, with all offsets. */
export function formatPartitionCsv(partitions: readonly Partition[]): string {
  const rows = partitions.map((partition) => {
    const flags = [partition.encrypted ? 'encrypted' : '', partition.readOnly ? 'readonly' : ''].filter(Boolean);
    return [
      partition.name,
      csvNumber(typeName(partition)),
      csvNumber(subtypeName(partition)),
      `0x${partition.offset.toString(16)}`,
      formatSize(partition.size),
      flags.join(':'),
    ].join(',');
  });
  return ['# ESP-IDF Partition Table', '# Name, Type, SubType, Offset, Size, Flags', ...rows, ''].join('\n');
}

/** Returns numbers without a name in decimal, as `gen_esp32part.py` writes them. */
function csvNumber(name: string): string {
  return /^0x/i.test(name) ? String(Number(name)) : name;
}

/**
 * Returns the table as bytes: the entries, the row with their MD5, and 0xFF up to 0xC00.
 *
 * @throws RangeError for more than 94 partitions, or names that are too long.
 */
export function encodePartitionTable(partitions: readonly Partition[]): Uint8Array {
  if ((partitions.length + 1) * ENTRY_SIZE >= maximumTableSize) {
    throw new RangeError('The table holds at most 94 partitions.');
  }
  const bytes = new Uint8Array(maximumTableSize).fill(0xff);
  const view = viewOf(bytes);
  for (const [index, partition] of partitions.entries()) {
    const at = index * ENTRY_SIZE;
    const name = new TextEncoder().encode(partition.name);
    if (name.length > partitionNameSize) {
      throw new RangeError(`The name ${partition.name} is too long.`);
    }
    bytes.set([0xaa, 0x50, partition.type, partition.subtype], at);
    view.setUint32(at + 4, partition.offset, true);
    view.setUint32(at + 8, partition.size, true);
    bytes.fill(0, at + 12, at + 12 + partitionNameSize);
    bytes.set(name, at + 12);
    view.setUint32(at + 28, (partition.encrypted ? 1 : 0) | (partition.readOnly ? 2 : 0), true);
  }
  const end = partitions.length * ENTRY_SIZE;
  bytes.set([0xeb, 0xeb], end);
  bytes.set(md5Bytes(bytes.subarray(0, end)), end + 16);
  return bytes;
}

/** Difference that a new table makes to a partition that is in flash. */
export interface PartitionLoss {
  readonly partition: Partition;
  /**
   * `gone`: the new table has no partition of its name. `moved`: its data stay where they were. `cut`: it ends earlier.
   * `grown`: it ends later. `retyped`: programs look for another kind of data there.
   */
  readonly kind: 'gone' | 'moved' | 'cut' | 'grown' | 'retyped';
  /** The partition in the new table; null if gone. */
  readonly now: Partition | null;
}

/** Returns the partitions of which a new table no longer finds all data. */
export function partitionLosses(
  before: Pick<PartitionTable, 'partitions'>,
  after: Pick<PartitionTable, 'partitions'>,
): PartitionLoss[] {
  return before.partitions.flatMap((partition): PartitionLoss[] => {
    const now = after.partitions.find(({ name }) => name === partition.name) ?? null;
    if (now === null) {
      return [{ partition, kind: 'gone', now }];
    }
    if (now.offset !== partition.offset) {
      return [{ partition, kind: 'moved', now }];
    }
    if (now.type !== partition.type || now.subtype !== partition.subtype) {
      return [{ partition, kind: 'retyped', now }];
    }
    if (now.size === partition.size) {
      return [];
    }
    return [{ partition, kind: now.size < partition.size ? 'cut' : 'grown', now }];
  });
}
