/**
 * Recognises which part of a flash a file is: bootloader, partition table, application, data, or several of them
 * merged. Plain values, which can be posted to a worker. Only the structure is examined; `findImageFaults` checks the
 * contents.
 */

import { isErased } from '../../core/bytes.ts';
import { ImageError, type ImageFault } from '../../images/image-error.ts';
import { type ChipName, chipFacts, chipIdText } from '../chips/chip-facts.ts';
import { type FoundFileSystem, fileSystemOf, isNvsImage } from './data-images.ts';
import {
  type AppDescription,
  type BootloaderDescription,
  readAppDescription,
  readBootloaderDescription,
  roleOf,
  runsFromMemory,
} from './description.ts';
import { type EspImage, espImageMagic, hasImageHeader, readEspImage } from './esp-image.ts';
import { findBootloader, findMerged, type Merged } from './merged-image.ts';
import { startsWithNvsKeys } from './nvs-keys.ts';
import { hasOtaEntry, type OtaEntries, readOtaEntries } from './ota-data.ts';
import { type PartitionTable, readPartitionTable, startsLikeTable } from './partition-table.ts';

interface AppPart {
  readonly kind: 'app';
  readonly image: EspImage;
  readonly description: AppDescription | null;
  /** True: an ESP8266 program after Arduino's `eboot`, both in one file that begins at offset 0. */
  readonly behindEboot: boolean;
  /** True: the description says app, but no segment is mapped from flash. The ROM starts it instead of a bootloader. */
  readonly inMemory: boolean;
}

interface BootloaderPart {
  readonly kind: 'bootloader';
  readonly image: EspImage;
  /**
   * Offset of the image in the file: 0, or the chip's bootloader offset for a file that begins at the start of flash.
   */
  readonly position: number;
  /** True: a digest of Secure Boot V1 precedes the image, so a changed bootloader would no longer start. */
  readonly hasDigest: boolean;
  readonly description: BootloaderDescription | null;
}

export type ImagePart =
  | AppPart
  | BootloaderPart
  | { readonly kind: 'partition-table'; readonly table: PartitionTable }
  | { readonly kind: 'ota-data'; readonly entries: OtaEntries }
  | { readonly kind: 'nvs' }
  /** Keys of encrypted NVS, not encrypted themselves. */
  | { readonly kind: 'nvs-keys' }
  | ({ readonly kind: 'file-system' } & FoundFileSystem)
  | ({ readonly kind: 'merged' } & Merged)
  /** Erased flash, or an empty file. */
  | { readonly kind: 'empty' }
  /** Begins like an image or a table, but cannot be read as one. */
  | { readonly kind: 'broken'; readonly looksLike: 'image' | 'partition-table'; readonly fault: ImageFault }
  /** `beginsLikeImage`: the first byte is that of an image, the header is not. It may be an encrypted image. */
  | { readonly kind: 'unknown'; readonly beginsLikeImage?: true };

/** Offset of an ESP8266 program after Arduino's `eboot`. */
const BEHIND_EBOOT = 0x1000;

export function imagePartOf(bytes: Uint8Array): ImagePart {
  if (isErased(bytes)) {
    return { kind: 'empty' };
  }
  const merged = findMerged(bytes);
  return merged === null ? singlePart(bytes) : { kind: 'merged', ...merged };
}

function singlePart(bytes: Uint8Array): ImagePart {
  if (bytes[0] === espImageMagic) {
    const part = orBroken('image', () => programPart(bytes, readEspImage(bytes)));
    return part.kind === 'broken' && !hasImageHeader(bytes) ? { kind: 'unknown', beginsLikeImage: true } : part;
  }
  const behind = bootloaderBehindStart(bytes);
  if (behind !== null) {
    return behind;
  }
  if (startsLikeTable(bytes)) {
    return orBroken('partition-table', () => ({ kind: 'partition-table', table: readPartitionTable(bytes) }));
  }
  if (hasOtaEntry(bytes)) {
    return { kind: 'ota-data', entries: readOtaEntries(bytes) };
  }
  if (isNvsImage(bytes)) {
    return { kind: 'nvs' };
  }
  if (startsWithNvsKeys(bytes)) {
    return { kind: 'nvs-keys' };
  }
  const found = fileSystemOf(bytes);
  return found === null ? { kind: 'unknown' } : { kind: 'file-system', ...found };
}

function orBroken(looksLike: 'image' | 'partition-table', read: () => ImagePart): ImagePart {
  try {
    return read();
  } catch (error) {
    if (error instanceof ImageError) {
      return { kind: 'broken', looksLike, fault: error.code };
    }
    throw error;
  }
}

/** Finds a bootloader in a file that begins at the start of flash. */
function bootloaderBehindStart(bytes: Uint8Array): BootloaderPart | null {
  const found = findBootloader(bytes);
  if (found === null || found.at === 0) {
    return null;
  }
  const image = bytes.subarray(found.at);
  const part = programPart(image, readEspImage(image));
  return part.kind === 'bootloader'
    ? { ...part, position: found.at, hasDigest: !isErased(bytes.subarray(0, found.at)) }
    : null;
}

/**
 * Classifies a program. One that runs from RAM alone counts as a bootloader, because the ROM loads and starts it in
 * the same way.
 */
export function programPart(bytes: Uint8Array, image: EspImage): AppPart | BootloaderPart {
  const description = readAppDescription(bytes, image);
  const behindEboot = image.chip === 'esp8266' && image.size <= BEHIND_EBOOT && bytes[BEHIND_EBOOT] === espImageMagic;
  if (behindEboot || roleOf(bytes, image) === 'app') {
    return { kind: 'app', image, description, behindEboot, inMemory: runsFromMemory(image) };
  }
  const bootloader = readBootloaderDescription(bytes, image);
  return { kind: 'bootloader', image, position: 0, hasDigest: false, description: bootloader };
}

/** Returns the chip that a file was built for; null if the file does not name one. */
export function chipOfPart(part: ImagePart): ChipName | null {
  switch (part.kind) {
    case 'app':
    case 'bootloader':
      return part.image.chip;
    case 'merged':
      return part.chip;
    default:
      return null;
  }
}

const fileSystemNames = { littlefs: 'LittleFS', fat: 'FAT', spiffs: 'SPIFFS' } as const;

/** Returns a description of the file: `Bootloader for ESP32-S3, ESP-IDF v5.1`. */
export function partTitle(part: ImagePart): string {
  switch (part.kind) {
    case 'app': {
      const title = programTitle(
        'App',
        part.image,
        part.description?.idfVersion,
        part.description === null ? '' : appName(part.description),
      );
      return part.inMemory ? `${title}, started by the ROM in place of a bootloader` : title;
    }
    case 'bootloader': {
      const title = programTitle('Bootloader', part.image, part.description?.idfVersion);
      return part.hasDigest ? `${title}, with its digest for Secure Boot V1` : title;
    }
    case 'partition-table':
      return `Partition table, ${part.table.partitions.length} partitions`;
    case 'ota-data':
      return 'OTA data: which app starts';
    case 'nvs':
      return 'NVS: stored settings';
    case 'nvs-keys':
      return 'Keys of encrypted NVS';
    case 'file-system':
      return `File system, ${fileSystemNames[part.format]}`;
    case 'merged':
      return `Merged image for ${chipFacts[part.chip].label}`;
    case 'empty':
      return 'Empty file or erased flash';
    case 'broken':
      return part.looksLike === 'image' ? 'Damaged image' : 'Damaged partition table';
    case 'unknown':
      return part.beginsLikeImage === true ? 'Unknown data, perhaps an encrypted image' : 'Unknown data';
  }
}

/** Returns name and version of an app: `weather-node 1.4.0`; empty if it has neither. */
export function appName({ project, version }: Pick<AppDescription, 'project' | 'version'>): string {
  return [project, version].filter((text) => text !== '').join(' ');
}

function programTitle(what: string, { chip, chipId, isSigned }: EspImage, idfVersion = '', name = ''): string {
  const target = chip === null ? chipIdText(chipId) : chipFacts[chip].label;
  const words = [`${what}${name === '' ? '' : ` ${name}`} for ${target}`];
  return [...words, ...(idfVersion === '' ? [] : [`ESP-IDF ${idfVersion}`]), ...(isSigned ? ['signed'] : [])].join(
    ', ',
  );
}
