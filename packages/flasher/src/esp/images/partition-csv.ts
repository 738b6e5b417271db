/**
 * Partition tables as text and as bytes, in the format of ESP-IDF's `gen_esp32part.py` (ESP-IDF API guide, "Partition
 * Tables", "Creating Custom Tables"): `Name, Type, SubType, Offset, Size, Flags`, a partition a line.
 */
import { intactText } from '@wirebench/port/given-text';
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

/** Places that are settings of a build and not of its CSV. */
export interface BuildPlaces {
  /** Flash offset of the primary bootloader; null if unknown. */
  readonly bootloaderOffset: number | null;
  /**
   * True: lines of the bootloader and the table have these places whatever their fields say, as for the generator. False: only
   * where a field is empty or `N/A`.
   */
  readonly ignoresFields: boolean;
}

/**
 * Reads a table from text. Missing offsets follow the partition of the line before, at the next multiple of 64 KiB for
 * apps and of 4 KiB for data. A negative size is the address at which the partition ends. The primary bootloader and the
 * primary table do not count for missing offsets (`gen_esp32part.py`, `from_csv`).
 *
 * @param source Text, or the bytes of a file in UTF-8 or UTF-16.
 * @throws PartitionCsvError for the first line that is not a partition.
 */
export function parsePartitionCsv(
  source: string | Uint8Array,
  tableOffset = usualTableOffset,
  places: BuildPlaces = { bootloaderOffset: null, ignoresFields: false },
): Partition[] {
  const partitions: Partition[] = [];
  let end = tableOffset + tableSectorSize;
  for (const [index, raw] of decodeCsv(source).split(lineEnds).entries()) {
    const line = strip(raw);
    if (line !== '' && !line.startsWith('#')) {
      const partition = parseLine(line, index + 1, { ...places, tableOffset, end });
      partitions.push(partition);
      end = isFixed(partition.type, partition.subtype) ? end : partition.offset + partition.size;
    }
  }
  return partitions;
}

/** Line ends of Python's `str.splitlines`. */
const lineEnds = /\r\n|[\n\v\f\r\x85\u2028\u2029]/;

/** Removes the characters that Python's `str.strip` removes. */
function strip(text: string): string {
  return text.replace(/^[\s\x85]+|[\s\x85]+$/g, '');
}

function decodeCsv(source: string | Uint8Array): string {
  if (typeof source === 'string') {
    return source.replace(/^\ufeff/, '');
  }
  const text = intactText(source);
  if (text === null) {
    throw new PartitionCsvError(1, 'The file is no text in UTF-8. Save it as CSV in UTF-8.');
  }
  return text;
}

/** Returns true for the primary bootloader and the primary table: the build places them, not the table. */
function isFixed(type: number, subtype: number): boolean {
  return (type === partitionType.bootloader || type === partitionType.partitionTable) && subtype === 0;
}

interface LinePlaces extends BuildPlaces {
  readonly tableOffset: number;
  /** First address that may be free, for partitions without an offset. */
  readonly end: number;
}

function parseLine(line: string, number: number, places: LinePlaces): Partition {
  const [name = '', typeText = '', subtypeText = '', offsetText = '', sizeText = '', flagText = ''] = line
    .split(',')
    .map(strip);
  const variable = /\$\{?\w+\}?/.exec([typeText, subtypeText, offsetText, sizeText, flagText].join(','))?.[0];
  const fault = (message: string) =>
    new PartitionCsvError(number, variable === undefined ? message : variableText(variable));
  const separator = ([';', '\t'] as const).find((one) => !line.includes(',') && line.split(one).length > 3);
  if (separator !== undefined) {
    const found = separator === ';' ? 'semicolons' : 'tabs';
    throw fault(`Fields are separated by commas here, not by ${found}. Replace them, or export it with commas.`);
  }
  // The generator expands variables everywhere, and refuses an unknown one only at the start of a line.
  if (/^\$[A-Za-z_]/.test(name)) {
    throw fault(variableText(name));
  }
  if (name === '') {
    throw fault('The name is missing.');
  }
  if (new TextEncoder().encode(name).length > partitionNameSize) {
    throw fault(`The name “${name}” is longer than ${partitionNameSize} bytes.`);
  }
  const type = typeNumber(typeText) ?? byteOf(typeText);
  if (type === null) {
    throw fault(
      typeText === '' ? 'The type is missing.' : `“${typeText}” is no type of a partition.${quoteHint(typeText)}`,
    );
  }
  const subtype = subtypeText === '' ? defaultSubtype(type) : (subtypeNumber(type, subtypeText) ?? byteOf(subtypeText));
  if (subtype === null) {
    const what = `“${subtypeText}” is no subtype of ${typeText}.${quoteHint(subtypeText)}`;
    throw fault(subtypeText === '' ? 'An app needs a subtype.' : what);
  }
  const { offset, length } = placeOf({ type, subtype, offsetText, sizeText }, places, fault);
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

const variableText = (name: string) => `“${name}” is a variable of the build. Put its value in its place.`;
const quoteHint = (text: string) => (text.includes('"') ? ' Leave the quotation marks out.' : '');

/** Gives the right form of a size whose unit is written out, or which has a fraction: `4MB` is `4M` here. */
function unitHint(text: string): string {
  const [, number = '', unit = ''] = /^(0x[\da-f]+?|\d+(?:\.\d+)?)\s*([km]?)(?:i?b)?$/i.exec(text) ?? [];
  const whole = `${number}${unit.toUpperCase()}`;
  const bytes = Number(number) * (unit === '' ? 1 : unit.toLowerCase() === 'k' ? KIB : MIB);
  const right = parseSize(whole) !== null ? whole : Number.isSafeInteger(bytes) ? formatSize(bytes) : null;
  return number === '' || right === null ? '' : ` Write ${right}.`;
}

interface PlaceFields {
  readonly type: number;
  readonly subtype: number;
  readonly offsetText: string;
  readonly sizeText: string;
}

/** Returns offset and length in bytes (`gen_esp32part.py`, `parse_address` and `parse_size`). */
function placeOf(
  { type, subtype, offsetText, sizeText }: PlaceFields,
  { bootloaderOffset, ignoresFields, tableOffset, end }: LinePlaces,
  fault: (message: string) => PartitionCsvError,
): { readonly offset: number; readonly length: number } {
  const isBootloader = type === partitionType.bootloader;
  const isSystem = isBootloader || type === partitionType.partitionTable;
  const isOpen = (text: string) => text === '' || text.toUpperCase() === 'N/A';
  const given = parseSize(offsetText);
  const isOffsetOpen = isFixed(type, subtype) ? ignoresFields || isOpen(offsetText) : offsetText === '';
  const isRecovery = isBootloader && subtype === recoveryBootloader;
  if (given === null && !isOffsetOpen && !(isRecovery && isOpen(offsetText))) {
    throw fault(`“${offsetText}” is no offset.${unitHint(offsetText)}`);
  }
  // The offset of the recovery bootloader is a setting of the build that no chip fixes.
  if (isRecovery && given === null) {
    throw fault('The offset of the recovery bootloader is CONFIG_BOOTLOADER_RECOVERY_OFFSET of the build. Enter it.');
  }
  const fixed = isFixed(type, subtype) ? (isBootloader ? bootloaderOffset : tableOffset) : null;
  if (isBootloader && isFixed(type, subtype) && fixed === null && given === null) {
    throw fault('The offset of the bootloader depends on the chip. Enter it.');
  }
  const step = partitionAlignment({ type });
  const offset = (ignoresFields ? (fixed ?? given) : (given ?? fixed)) ?? Math.ceil(end / step) * step;
  const size = parseSize(sizeText);
  if (size === null && !isSystem) {
    throw fault(
      sizeText === '' ? 'The size is missing.' : `“${sizeText}” is no size.${quoteHint(sizeText)}${unitHint(sizeText)}`,
    );
  }
  if (size === null && !isOpen(sizeText) && !ignoresFields) {
    throw fault(`“${sizeText}” is no size.${unitHint(sizeText)}`);
  }
  const system = isBootloader ? tableOffset - (bootloaderOffset ?? offset) : tableSectorSize;
  const wanted = isSystem && (size === null || ignoresFields) ? system : (size ?? 0);
  return { offset, length: wanted < 0 ? -wanted - offset : wanted };
}

/** Subtype of the recovery bootloader. */
const recoveryBootloader = 2;

function defaultSubtype(type: number): number | null {
  return type === partitionType.app ? null : UNDEFINED_DATA;
}

function byteOf(text: string): number | null {
  const value = parseSize(text);
  return value === null || value < 0 || value > 0xff ? null : value;
}

/** An integer literal of Python, as `int(text, 0)` takes it. */
const integer = /^([+-]?)(0x(?:_?[\da-f])+|0o(?:_?[0-7])+|0b(?:_?[01])+|[1-9](?:_?\d)*|0(?:_?0)*)$/i;

/**
 * Parses `0x9000`, `4096`, `24K`, `1M`, also with a sign, as `gen_esp32part.py` does (`parse_int`). Returns null for anything
 * else.
 */
export function parseSize(text: string): number | null {
  const bare = strip(text);
  const factor = { k: KIB, m: MIB }[bare.slice(-1).toLowerCase()];
  if (factor !== undefined) {
    const rest = parseSize(bare.slice(0, -1));
    return rest !== null && Number.isSafeInteger(rest * factor) ? rest * factor : null;
  }
  const [, sign, digits = ''] = integer.exec(bare) ?? [];
  const value = Number(digits.replaceAll('_', '').replace(/^0+$/, '0'));
  return sign === undefined || !Number.isSafeInteger(value) ? null : sign === '-' ? -value : value;
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
