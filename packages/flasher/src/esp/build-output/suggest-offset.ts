/**
 * Suggests the flash offset of a part from its kind, the chip and the partition table, with the reason. Bootloader
 * offsets are in `esp/chips`; the other defaults are those of ESP-IDF and Arduino.
 */

import { baseName, offsetByName } from '../../core/base-name.ts';
import { addressText, sizeText } from '../../core/bytes.ts';
import type { NamedRange } from '../../core/flash-plan.ts';
import { overlapOf } from '../../core/ranges.ts';
import { type ChipName, chipFacts } from '../chips/chip-facts.ts';
import { usualAppOffset } from '../images/flash-places.ts';
import type { ImagePart } from '../images/image-part.ts';
import type { Merged } from '../images/merged-image.ts';
import {
  ownTableOffset,
  type Partition,
  type PartitionTable,
  tableSectorSize,
  usualTableOffset,
} from '../images/partition-table.ts';
import { isApp, isFileSystem, isNvs, isNvsKeys, isOtaData, subtypeName } from '../images/partition-types.ts';
import { type NamedRole, roleByName } from './file-name.ts';

/** Offset of the OTA data in Arduino's tables (`tools/partitions/default.csv` of arduino-esp32). */
const usualOtaDataOffset = 0xe000;
/** Offset of NVS in the tables of ESP-IDF and Arduino. */
const usualNvsOffset = 0x9000;

export interface Suggestion {
  /** Flash offset in bytes; null if unknown. */
  readonly offset: number | null;
  /** Reason in one sentence. */
  readonly why: string;
}

export interface PlacingContext {
  /** Chip that the files were built for, or that was chosen; null if unknown. */
  readonly chip: ChipName | null;
  /** Partition table among the files. */
  readonly table: PartitionTable | null;
  /** Merged images that are written as well: a program goes to a slot that none of them covers. None by default. */
  readonly merged?: readonly NamedRange[];
}

interface SizedContext extends PlacingContext {
  /** Size of the file in bytes. */
  readonly size: number;
}

/** @param size Size of the file in bytes. A partition that is smaller is passed over. */
export function suggestOffset(name: string, part: ImagePart, given: PlacingContext, size = 0): Suggestion {
  const context: SizedContext = { ...given, size };
  const named = offsetByName(name);
  if (named !== null) {
    return { offset: named, why: 'The file name gives this offset.' };
  }
  switch (part.kind) {
    case 'bootloader':
      return part.position > 0
        ? at(0, 'The file contains everything from the start of flash to the bootloader.')
        : bootloaderSuggestion(part.image.chip ?? context.chip);
    case 'app':
      if (part.inMemory) {
        return bootloaderSuggestion(part.image.chip ?? context.chip);
      }
      return part.behindEboot
        ? at(0, 'The file begins with the boot code of the ESP8266.')
        : appSuggestion(name, context);
    case 'merged':
      return at(part.offset, `The file contains everything from here on.${erasedSettings(part)}`);
    case 'partition-table':
      return tableSuggestion(part.table);
    case 'ota-data':
      return dataSuggestion(context, isOtaData, usualOtaDataOffset, 'OTA data');
    case 'nvs':
      return dataSuggestion(context, isNvs, usualNvsOffset, 'NVS');
    case 'nvs-keys':
      return dataSuggestion(context, isNvsKeys, null, 'keys of NVS');
    case 'file-system':
      return fileSystemSuggestion(name, context, part.format);
    default:
      return suggestionByName(name, roleByName(name), context);
  }
}

/**
 * Returns a sentence about the board's settings that the 0xFF bytes of a merged image would erase; empty if there are
 * no such settings.
 */
function erasedSettings({ offset, size, table, parts }: Merged): string {
  const end = offset + size;
  const erased = table.partitions.filter(
    (one) =>
      isNvs(one) && one.offset >= offset && one.offset < end && parts.every(({ partition }) => partition !== one),
  );
  const named = erased.map((one) => `"${one.name}" at ${addressText(one.offset)}`);
  return named.length === 0
    ? ''
    : ` It is 0xFF where ${named.join(' and ')} ${named.length === 1 ? 'is' : 'are'}: this erases the settings stored there, unless they are kept.`;
}

/**
 * Suggests an offset by name for contents that cannot be recognised: SPIFFS, erased data, a project's own partitions,
 * encrypted or damaged data.
 */
function suggestionByName(name: string, role: NamedRole | null, context: SizedContext): Suggestion {
  const { chip, table } = context;
  const same = table?.partitions.find((partition) => partition.name === baseName(name).replace(/\.[^.]*$/, ''));
  if (same !== undefined) {
    return atPartition(same);
  }
  switch (role) {
    case 'ota-data':
      return dataSuggestion(context, isOtaData, usualOtaDataOffset, 'OTA data');
    case 'nvs':
      return dataSuggestion(context, isNvs, usualNvsOffset, 'NVS');
    case 'file-system':
      return fileSystemSuggestion(name, context, null);
    case 'bootloader':
      return bootloaderSuggestion(chip);
    case 'partition-table':
      return at(usualTableOffset, 'Its name suggests a partition table.');
    case 'app':
      return appSuggestion(name, context);
    default:
      return nowhere('Nothing in this file says where it goes.');
  }
}

/**
 * Builds with a large bootloader move the table (`CONFIG_PARTITION_TABLE_OFFSET`), and the first partition follows it at
 * once. Apps say nothing of its place, because they begin at multiples of 64 KiB.
 */
function tableSuggestion(table: PartitionTable): Suggestion {
  const own = ownTableOffset(table) ?? usualTableOffset;
  const follows = table.partitions.some((one) => !isApp(one) && one.offset === own + tableSectorSize);
  return follows && own !== usualTableOffset
    ? at(own, `Its first partition begins behind it, at ${addressText(own + tableSectorSize)}.`)
    : at(usualTableOffset, 'Partition tables go here unless the build says otherwise.');
}

function bootloaderSuggestion(chip: ChipName | null): Suggestion {
  return chip === null
    ? nowhere('The offset of a bootloader depends on the chip, and the file does not say which chip it is for.')
    : at(chipFacts[chip].bootloaderOffset, `${chipFacts[chip].label} looks for its bootloader here.`);
}

/**
 * Suggests the app partition that the bootloader starts without OTA data: the factory app, otherwise the lowest slot.
 * One that is too small is passed over: a small factory app beside larger slots is a loader for updates. So is one that
 * a merged image covers, if another one has room.
 */
function appSuggestion(name: string, context: SizedContext): Suggestion {
  const { chip, table, merged = [], size } = context;
  const all = (table?.partitions ?? []).filter(isApp).sort((one, other) => one.subtype - other.subtype);
  const covered = all.filter((one) => holderOf(one, merged) !== null);
  const free = all.filter((one) => !covered.includes(one));
  const isFree = free.some((one) => hasRoom(one, size));
  const apps = isFree ? free : all;
  const words = baseName(name)
    .toLowerCase()
    .split(/[^a-z\d]+/);
  const named = apps.find((one) => hasRoom(one, size) && words.includes(one.name.toLowerCase()));
  const found = named === undefined ? withRoom(apps, size) : atPartition(named);
  if (found !== null) {
    const [first] = covered;
    const holder = first === undefined || !isFree ? null : holderOf(first, merged);
    return holder === null || first === undefined
      ? found
      : { ...found, why: `${found.why} ${holder.name} holds "${first.name}".` };
  }
  return chip !== null && !chipFacts[chip].hasPartitions
    ? at(0, `An ${chipFacts[chip].label} without a partition table starts its app here.`)
    : at(usualAppOffset, 'The usual partition tables put apps here.');
}

function holderOf({ offset, size }: Partition, merged: readonly NamedRange[]): NamedRange | null {
  return merged.find((image) => overlapOf(image, { offset, length: size }) !== null) ?? null;
}

const hasRoom = (partition: Partition, size: number) => size <= partition.size;

/** Suggests the first partition with room, or the first one if none has room. Null without partitions. */
function withRoom(partitions: readonly Partition[], size: number): Suggestion | null {
  const [first] = partitions;
  const roomy = partitions.find((one) => hasRoom(one, size));
  if (first === undefined) {
    return null;
  }
  if (roomy === undefined) {
    const largest = partitions.reduce((one, other) => (other.size > one.size ? other : one));
    const most = `The largest of its kind, "${largest.name}", holds ${sizeText(largest.size)}.`;
    return at(first.offset, `No partition has room for ${sizeText(size)}. ${most}`);
  }
  const small = partitions.slice(0, partitions.indexOf(roomy));
  const named = small.map((one) => `"${one.name}" (${sizeText(one.size)})`).join(' and ');
  const { why } = atPartition(roomy);
  return at(roomy.offset, small.length === 0 ? why : `${why} It is too large for ${named}.`);
}

function dataSuggestion(
  { table, size }: SizedContext,
  isWanted: (partition: Partition) => boolean,
  usual: number | null,
  what: string,
): Suggestion {
  if (table === null) {
    return usual === null
      ? nowhere(`Only a partition table says where the ${what} are.`)
      : at(usual, `${what} is at this address in the usual partition tables.`);
  }
  return withRoom(table.partitions.filter(isWanted), size) ?? nowhere(`The partition table has no place for ${what}.`);
}

/**
 * Suggests the only partition for the file system. Of several, the only one with room is taken, or the only one of the
 * image's size, because tools make images as large as their partition.
 */
function fileSystemSuggestion(name: string, { table, size }: SizedContext, format: string | null): Suggestion {
  const all = (table?.partitions ?? []).filter(isFileSystem);
  const fitting = all.filter((partition) => fits(subtypeName(partition), format ?? baseName(name).toLowerCase()));
  const candidates = fitting.length > 0 ? fitting : all;
  const roomy = candidates.filter((one) => hasRoom(one, size));
  const equal = candidates.filter((one) => one.size === size);
  const found = [candidates, equal, roomy].find((some) => some.length === 1)?.[0];
  if (found === undefined) {
    return nowhere(
      table === null
        ? 'Add the partition table: it says where this goes.'
        : candidates.length > 1 && roomy.length === 0
          ? `None of its partitions has room for ${sizeText(size)}.`
          : 'The partition table has no single place for this file system.',
    );
  }
  return atPartition(found);
}

/** Compares a partition's subtype with a file system. Arduino keeps LittleFS in a partition of subtype SPIFFS. */
function fits(subtype: string, wanted: string): boolean {
  return wanted.includes(subtype) || (subtype === 'spiffs' && wanted.includes('littlefs'));
}

function atPartition({ name, offset }: Partition): Suggestion {
  return at(offset, `Partition "${name}" begins at ${addressText(offset)}.`);
}

function at(offset: number, why: string): Suggestion {
  return { offset, why };
}

function nowhere(why: string): Suggestion {
  return { offset: null, why };
}
