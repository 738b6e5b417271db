/**
 * Suggests the flash offset of a part from its kind, the chip and the partition table, with the reason. Bootloader
 * offsets are in `espressif/chips`; the other defaults are those of ESP-IDF and Arduino.
 */

import { baseName } from '../../core/base-name.ts';
import { addressText } from '../../core/bytes.ts';
import { type ChipName, chipFacts } from '../chips/chip-facts.ts';
import { usualAppOffset } from '../images/flash-places.ts';
import type { ImagePart } from '../images/image-part.ts';
import type { Merged } from '../images/merged-image.ts';
import { type Partition, type PartitionTable, usualTableOffset } from '../images/partition-table.ts';
import { isApp, isFileSystem, isNvs, isOtaData, subtypeName } from '../images/partition-types.ts';
import { type NamedRole, offsetByName, roleByName } from './file-name.ts';

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
}

export function suggestOffset(name: string, part: ImagePart, context: PlacingContext): Suggestion {
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
      return part.behindEboot ? at(0, 'The file begins with the boot code of the ESP8266.') : appSuggestion(context);
    case 'merged':
      return at(part.offset, `The file contains everything from here on.${erasedSettings(part)}`);
    case 'partition-table':
      return at(usualTableOffset, 'Partition tables go here unless the build says otherwise.');
    case 'ota-data':
      return dataSuggestion(context.table, isOtaData, usualOtaDataOffset, 'OTA data');
    case 'nvs':
      return dataSuggestion(context.table, isNvs, usualNvsOffset, 'NVS');
    case 'file-system':
      return fileSystemSuggestion(name, context.table, part.format);
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
function suggestionByName(name: string, role: NamedRole | null, context: PlacingContext): Suggestion {
  const { chip, table } = context;
  const same = table?.partitions.find((partition) => partition.name === baseName(name).replace(/\.[^.]*$/, ''));
  if (same !== undefined) {
    return atPartition(same);
  }
  switch (role) {
    case 'ota-data':
      return dataSuggestion(table, isOtaData, usualOtaDataOffset, 'OTA data');
    case 'nvs':
      return dataSuggestion(table, isNvs, usualNvsOffset, 'NVS');
    case 'file-system':
      return fileSystemSuggestion(name, table, null);
    case 'bootloader':
      return bootloaderSuggestion(chip);
    case 'partition-table':
      return at(usualTableOffset, 'Its name suggests a partition table.');
    case 'app':
      return appSuggestion(context);
    default:
      return nowhere('Nothing in this file says where it goes.');
  }
}

function bootloaderSuggestion(chip: ChipName | null): Suggestion {
  return chip === null
    ? nowhere('The offset of a bootloader depends on the chip, and the file does not say which chip it is for.')
    : at(chipFacts[chip].bootloaderOffset, `${chipFacts[chip].label} looks for its bootloader here.`);
}

function appSuggestion({ chip, table }: PlacingContext): Suggestion {
  const first = lowestSubtype((table?.partitions ?? []).filter(isApp));
  if (first !== undefined) {
    return atPartition(first);
  }
  return chip !== null && !chipFacts[chip].hasPartitions
    ? at(0, `An ${chipFacts[chip].label} without a partition table starts its app here.`)
    : at(usualAppOffset, 'The usual partition tables put apps here.');
}

/** Returns the partition with the lowest subtype. The factory app comes before the OTA slots. */
function lowestSubtype(partitions: readonly Partition[]): Partition | undefined {
  return [...partitions].sort((one, other) => one.subtype - other.subtype)[0];
}

function dataSuggestion(
  table: PartitionTable | null,
  isWanted: (partition: Partition) => boolean,
  usual: number,
  what: string,
): Suggestion {
  if (table === null) {
    return at(usual, `${what} is at this address in the usual partition tables.`);
  }
  const found = table.partitions.find(isWanted);
  return found === undefined ? nowhere(`The partition table has no place for ${what}.`) : atPartition(found);
}

function fileSystemSuggestion(name: string, table: PartitionTable | null, format: string | null): Suggestion {
  const all = (table?.partitions ?? []).filter(isFileSystem);
  const fitting = all.filter((partition) => fits(subtypeName(partition), format ?? baseName(name).toLowerCase()));
  const [only, second] = fitting.length > 0 ? fitting : all;
  if (only === undefined || second !== undefined) {
    return nowhere(
      table === null
        ? 'Add the partition table: it says where this goes.'
        : 'The partition table has no single place for this file system.',
    );
  }
  return atPartition(only);
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
