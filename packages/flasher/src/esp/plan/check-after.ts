/**
 * Checks the flash after a write: what the ROM and the bootloader find, and whether every part lies in a place of its
 * kind. Plans, releases and "Will this image start here?" use these rules.
 */
import { addressText, bytesText, sizeText } from '../../core/bytes.ts';
import { endOf, overlapOf } from '../../core/ranges.ts';
import { levelledSize } from '../../file-systems/fat/wear-levelling.ts';
import { chipFacts } from '../chips/chip-facts.ts';
import { bootOrder } from '../images/boot-order.ts';
import { readFlashSettings } from '../images/flash-settings.ts';
import { selectOtaEntry } from '../images/ota-data.ts';
import { ownTableOffset, type Partition, tableSectorSize, usualTableOffset } from '../images/partition-table.ts';
import {
  isApp,
  isCoreDump,
  isFactoryApp,
  isFileSystem,
  isHead,
  isNvs,
  isNvsKeys,
  isOtaData,
  isTestApp,
  otaSlotOf,
  partitionType,
  typesText,
} from '../images/partition-types.ts';
import type { EspFindings } from './esp-plan-finding.ts';
import { type AfterPart, APP_ALIGNMENT, boardTable, type FlashAfter, isProgram, programOffset } from './flash-after.ts';
import { type PlacedPart, rangeOf, rangeOfPartition } from './placed-part.ts';

const SECTOR = 0x1000;

/** @param left Files whose contents say nothing about their place. */
export function checkAfter(after: FlashAfter, left: readonly PlacedPart[], findings: EspFindings): void {
  for (const part of after.parts) {
    checkProgramPlace(part, after, findings);
    checkTablePlace(part, after, findings);
    checkPartition(part, after, left, findings);
    checkFileSystem(part, after, findings);
  }
  checkTableIsThere(after, findings);
  checkApps(after, left, findings);
  checkErased(after, findings);
  checkHeader(after, findings);
}

/** Values for sentences about a part: the name of its file, and what it is if the file holds more. */
function about({ source, part, isInside }: AfterPart) {
  return { files: [source.name], ...(isInside && { inside: kindText(part) }) };
}

function kindText(part: AfterPart['part']): string {
  switch (part.kind) {
    case 'app':
      return 'app';
    case 'bootloader':
      return 'bootloader';
    case 'partition-table':
      return 'partition table';
    case 'ota-data':
      return 'OTA data';
    case 'nvs':
      return 'NVS';
    case 'nvs-keys':
      return 'keys of encrypted NVS';
    case 'file-system':
      return { littlefs: 'LittleFS', fat: 'FAT', spiffs: 'SPIFFS' }[part.format];
    default:
      return 'data';
  }
}

/** Warns of programs where neither the ROM nor a bootloader looks for one. */
function checkProgramPlace(one: AfterPart, after: FlashAfter, findings: EspFindings): void {
  const { part, offset, isInside } = one;
  if (part.kind !== 'app' && part.kind !== 'bootloader') {
    return;
  }
  const { chip } = part.image;
  const partition = after.partitionAt(offset);
  // Firmware for other chips, or for a second one, may be stored as data.
  const isStored = isInside && (chip !== after.chip || partition?.type === partitionType.data);
  if (chip === null || !chipFacts[chip].hasPartitions || isStored) {
    return;
  }
  const { bootloaderOffset, label } = chipFacts[chip];
  const isStartedByRom = part.kind === 'bootloader' || part.inMemory;
  const shift = programOffset(one) - bootloaderOffset;
  const isListed = partition?.type === partitionType.bootloader && partition.offset === offset;
  if (isStartedByRom) {
    if (part.kind === 'app' && shift === 0) {
      findings.warn('replaces-bootloader', { ...about(one), at: addressText(offset) });
    } else if (isInside && after.started !== null) {
      // A file is right as a whole if its first program is at its place.
      if (shift !== 0 && partition !== null && isSlot(partition, offset)) {
        findings.warn('not-an-app', { ...about(one), at: addressText(offset), partitions: [partition.name] });
      }
    } else if (shift !== 0 && !isListed) {
      // A file is moved as a whole, so that its bootloader comes to its place.
      const { name, offset: at } = one.source;
      const wanted = at - shift;
      findings.warn('bootloader-misplaced', {
        files: [name],
        at: addressText(at),
        wanted: addressText(Math.max(wanted, 0)),
        found: label,
      });
    }
  } else if (offset === bootloaderOffset || offset < SECTOR) {
    findings.warn('app-misplaced', { ...about(one), at: addressText(offset), found: label });
  } else if (offset % APP_ALIGNMENT !== 0 && (!isInside || isMissed(one, after))) {
    findings.warn('app-not-aligned', { ...about(one), at: addressText(offset) });
  }
}

/** Returns true for the start of an app partition, from which the bootloader starts programs. */
const isSlot = (partition: Partition | null, offset: number): boolean =>
  partition !== null && isApp(partition) && partition.offset === offset;

/**
 * Warns of a table where no bootloader looks for it. Builds may change the offset (`CONFIG_PARTITION_TABLE_OFFSET`): the
 * place of the board's table counts as right, and with a new bootloader the place that the table is made for.
 */
function checkTablePlace(one: AfterPart, after: FlashAfter, findings: EspFindings): void {
  const { part, offset } = one;
  if (part.kind !== 'partition-table' || one.source.part.kind === 'merged') {
    return;
  }
  const own = boardTable(after.board) === null ? null : (after.board?.tableOffset ?? usualTableOffset);
  const isAtOwn = offset === (own ?? usualTableOffset);
  const isMadeFor = offset === ownTableOffset(part.table) && (own === null || after.started !== null);
  if (!isAtOwn && !isMadeFor) {
    const wanted = addressText(own ?? usualTableOffset);
    findings.warn('table-misplaced', { ...about(one), at: addressText(offset), wanted });
  }
}

/** Compares the place of a part with the partitions, from both sides. */
function checkPartition(one: AfterPart, after: FlashAfter, left: readonly PlacedPart[], findings: EspFindings): void {
  const { inPlace, partitions } = after;
  const { part, offset, isInside } = one;
  if (inPlace === null || part.kind === 'partition-table') {
    return;
  }
  const range = rangeOf(one);
  if (overlapOf(range, { offset: inPlace.offset, length: tableSectorSize }) !== null) {
    if (!(isInside && part.kind === 'unknown')) {
      findings.warn('covers-table', { ...about(one), at: addressText(inPlace.offset) });
    }
    return;
  }
  const place = after.partitionAt(offset + (part.kind === 'file-system' ? part.at : 0));
  if (part.kind === 'app') {
    if (offset >= inPlace.offset && !isSlot(place, offset)) {
      if (!isInside || isMissed(one, after)) {
        findings.warn('not-at-a-partition', { ...about(one), at: addressText(offset) });
      } else if (place !== null && !isApp(place) && place.offset === offset) {
        checkKind(one, place, after, findings);
      }
      return;
    }
  }
  if (!left.includes(one.source)) {
    checkKind(one, place, after, findings);
  }
  checkSize(one, partitions, findings);
}

/**
 * Returns true for an app of an image that some app partition lacks. Other apps are left from earlier builds, as images
 * that were read from a board have them, or are stored for a second chip.
 */
function isMissed({ offset, size, part }: AfterPart, after: FlashAfter): boolean {
  if (part.kind === 'app' && part.image.chip !== after.chip) {
    return false;
  }
  const apps = after.partitions.filter(isApp);
  const lacks = (one: Partition) => after.startOf(one) !== 'program';
  const touched = apps.filter((one) => overlapOf({ offset, length: size }, rangeOfPartition(one)) !== null);
  return apps.every(lacks) || touched.some(lacks);
}

/** Warns of data in a partition that is for something else. */
function checkKind(one: AfterPart, place: Partition | null, after: FlashAfter, findings: EspFindings): void {
  const { part, offset, isInside } = one;
  if (place === null || part.kind === 'empty' || part.kind === 'broken') {
    return;
  }
  const isAtStart = place.offset === offset;
  const partitions = [place.name];
  const at = addressText(offset);
  if (isApp(place)) {
    // An update that was interrupted leaves a slot without its first bytes in a copy of a flash.
    const isLeft = part.kind === 'unknown' && after.partitions.some((app) => after.startOf(app) === 'program');
    if (!isProgram(one) && (!isInside || (isAtStart && !isLeft) || isHomeless(one, place, after))) {
      findings.warn('not-an-app', { ...about(one), at, partitions });
    }
  } else if (isOtaData(place)) {
    if (part.kind !== 'ota-data' && !(isProgram(one) && !isInside)) {
      findings.warn('not-ota-data', { ...about(one), partitions });
    }
  } else if (!isSuited(part, place)) {
    findings.warn('data-misplaced', { ...about(one), wanted: kindText(part), at, partitions, found: typesText(place) });
  }
}

/**
 * Returns true for data of a known kind in the slot of an app, if neither an app nor a partition of that kind has its own
 * contents there. Images that were read from a board may have such data from earlier layouts.
 */
function isHomeless({ part }: AfterPart, slot: Partition, after: FlashAfter): boolean {
  if (part.kind !== 'file-system' && part.kind !== 'nvs' && part.kind !== 'ota-data') {
    return false;
  }
  const isHome = (one: Partition) => !isApp(one) && !isOtherData(one) && isSuited(part, one);
  const homes = after.partitions.filter(isHome);
  return after.startOf(slot) !== 'program' || homes.some((one) => after.startOf(one) === 'erased');
}

/** Returns true for partitions whose contents only their program knows. */
function isOtherData(partition: Partition): boolean {
  const { type, subtype } = partition;
  return type !== partitionType.data || !(isFileSystem(partition) || isNvs(partition) || subtype <= 4);
}

function isSuited(part: AfterPart['part'], place: Partition): boolean {
  if (isOtherData(place)) {
    return part.kind !== 'ota-data' || place.subtype === 0x90 || place.type !== partitionType.data;
  }
  switch (part.kind) {
    case 'ota-data':
      return isOtaData(place);
    case 'nvs':
      return isNvs(place);
    case 'nvs-keys':
      return isNvsKeys(place);
    case 'file-system':
      return isFileSystem(place);
    case 'app':
      return !isNvs(place) && !isNvsKeys(place) && !isCoreDump(place) && !isFileSystem(place);
    case 'bootloader':
      return !isNvs(place) && !isCoreDump(place);
    default:
      return true;
  }
}

/** Refuses a part that is larger than its partition, and warns of one that lies over several. */
function checkSize(one: AfterPart, partitions: readonly Partition[], findings: EspFindings): void {
  const { part, offset, isInside } = one;
  const range = rangeOf(one);
  const touched = partitions.filter((partition) => overlapOf(range, rangeOfPartition(partition)) !== null);
  const [first] = touched.toSorted((left, right) => left.offset - right.offset);
  if (first === undefined || isHead(first) || (isInside && !isProgram(one))) {
    return;
  }
  const end = first.offset + first.size;
  const names = touched.map(({ name }) => name);
  if (first.offset > offset) {
    findings.warn('covers-partitions', { ...about(one), partitions: names });
  } else if (endOf(range) > end && part.kind !== 'unknown') {
    const roomy = partitions.find(
      (other) => other !== first && isAlike(other, first) && other.size >= range.length && other.offset % SECTOR === 0,
    );
    findings.refuse('larger-than-partition', {
      ...about(one),
      wanted: bytesText(range.length),
      partitions: roomy === undefined ? [first.name] : [first.name, roomy.name],
      found: bytesText(end - offset),
      ...(roomy !== undefined && !isInside && { at: addressText(roomy.offset) }),
    });
  } else if (touched.length > 1) {
    findings.warn('covers-partitions', { ...about(one), partitions: names });
  } else if (endOf(range) > end) {
    const detail = { wanted: bytesText(range.length), partitions: names, found: bytesText(end - offset) };
    findings.warn('beyond-partition', { ...about(one), ...detail });
  }
}

/** Returns true for partitions that may hold the same file: two for apps, or two for data of one kind. */
function isAlike(one: Partition, other: Partition): boolean {
  return isApp(one) ? isApp(other) : one.type === other.type && one.subtype === other.subtype;
}

/** Compares the size that a file system states with its partition. Programs mount only one that fills it. */
function checkFileSystem(one: AfterPart, after: FlashAfter, findings: EspFindings): void {
  const { part, offset } = one;
  if (part.kind !== 'file-system' || part.size === null) {
    return;
  }
  const place = after.partitionAt(offset + part.at);
  if (place === null || isApp(place) || isOtaData(place)) {
    return;
  }
  const position = offset + part.at - place.offset;
  const isLevelled = part.format === 'fat' && position === SECTOR;
  if (position !== 0 && !isLevelled) {
    return;
  }
  const room = isLevelled ? levelledSize(place.size) : place.size;
  const detail = { wanted: bytesText(part.size), partitions: [place.name], found: bytesText(room) };
  if (part.size > room) {
    // A file that is too large itself was refused before.
    if (one.isInside || endOf(rangeOf(one)) <= place.offset + place.size) {
      findings.refuse('larger-than-partition', { ...about({ ...one, isInside: true }), ...detail });
    }
  } else if (part.size < room && (part.format !== 'fat' || isLevelled)) {
    findings.warn('file-system-shorter', { ...about({ ...one, isInside: true }), ...detail });
  }
}

function checkTableIsThere({ parts, inPlace, board }: FlashAfter, findings: EspFindings): void {
  const apps = parts.filter(({ part, offset }) => part.kind === 'app' && offset > usualTableOffset);
  if (inPlace === null && board?.table === 'none' && apps.length > 0) {
    findings.warn('no-partition-table', { files: [...new Set(apps.map(({ source }) => source.name))] });
  }
}

/** Warns if the bootloader finds no app, or starts another one than the files bring. */
function checkApps(after: FlashAfter, left: readonly PlacedPart[], findings: EspFindings): void {
  const { inPlace, partitions } = after;
  if (inPlace === null || !after.hasPartitions) {
    return;
  }
  const apps = partitions.filter((one) => isFactoryApp(one) || isTestApp(one) || otaSlotOf(one) !== null);
  const files = inPlace.file === null ? [] : [inPlace.file];
  if (apps.length === 0) {
    if (inPlace.file !== null && after.started !== null) {
      findings.warn('no-app-partition', { files });
    }
    return;
  }
  const isLeft = (one: Partition) => left.some((file) => overlapOf(rangeOf(file), { offset: one.offset, length: 1 }));
  const has = (state: string) => apps.filter((one) => (isLeft(one) ? 'kept' : after.startOf(one)) === state);
  const isTold = findings.warnings.some(({ code }) => code === 'not-at-a-partition' || code === 'not-an-app');
  if (has('program').length === 0 && has('kept').length === 0 && !isTold) {
    findings.warn('no-app', { files, partitions: apps.map(({ name }) => name) });
  }
  checkSelection(after, findings);
}

/** Warns of OTA data among the files that start an app which the files do not bring. */
function checkSelection(after: FlashAfter, findings: EspFindings): void {
  const { otaData, partitions, writtenApps: written } = after;
  if (otaData?.from !== 'files' || written.length === 0) {
    return;
  }
  const range = rangeOfPartition(otaData.partition);
  const isIn = (one: Parameters<typeof rangeOf>[0]) => overlapOf(rangeOf(one), range) !== null;
  const source = after.parts.find((one) => one.part.kind === 'ota-data' && isIn(one));
  const [first] = bootOrder({ partitions, entries: otaData.entries });
  if (first === undefined || written.includes(first)) {
    return;
  }
  const named = source === undefined ? { files: after.files.filter(isIn).map(({ name }) => name) } : about(source);
  const detail = { ...named, found: first.name, partitions: written.map(({ name }) => name) };
  if (after.startOf(first) === 'kept') {
    findings.warn('other-app-starts', { ...detail, wanted: 'Add OTA data that select it.' });
  } else if (typeof selectOtaEntry(otaData.entries) !== 'string') {
    findings.warn('selects-no-app', detail);
  }
}

/** Warns if everything is erased and the files do not bring what the board starts with. */
function checkErased({ isErasedFirst, files, inPlace, started, chip }: FlashAfter, findings: EspFindings): void {
  if (!isErasedFirst || files.length === 0 || chip === null || !chipFacts[chip].hasPartitions) {
    return;
  }
  const runsAlone = started?.part.kind === 'app' && started.part.inMemory;
  const missing = [
    ...(started === null ? ['bootloader'] : []),
    ...((inPlace === null || inPlace.file === null) && !runsAlone ? ['partition table'] : []),
  ];
  if (missing.length > 0) {
    findings.warn('erases-start', { wanted: missing.join(' and no ') });
  }
}

/**
 * Checks the flash settings in the bootloader's header, after the chosen ones were applied. The bootloader takes the size
 * of the flash from it, and refuses a table that goes beyond (ESP-IDF, `esp_partition_table_verify`).
 */
function checkHeader(after: FlashAfter, findings: EspFindings): void {
  const { started, chip, flashSize, partitions, inPlace } = after;
  const kept = after.board?.headerSize ?? null;
  if (started === null && kept !== null && inPlace?.file != null) {
    checkEnds(partitions, { files: [], size: kept, flashSize }, findings);
  }
  if (started?.part.kind !== 'bootloader' || chip === null) {
    return;
  }
  const files = [started.source.name];
  const codes = started.part.image.flash;
  const { mode, frequencies, size } = readFlashSettings(chip, codes);
  const unknown = [
    ...(mode === null && codes.mode > 5 ? ['mode'] : []),
    ...(frequencies.length === 0 && !usualFrequencyCodes.includes(codes.frequency) ? ['frequency'] : []),
    ...(size === null ? ['size'] : []),
  ];
  if (unknown.length > 0) {
    findings.warn('flash-setting-unknown', { files, wanted: unknown.join(' and '), found: chipFacts[chip].label });
  }
  if (size === null) {
    return;
  }
  if (flashSize !== null && size > flashSize) {
    findings.refuse('flash-size-setting', { files, wanted: sizeText(size), found: sizeText(flashSize) });
  }
  checkEnds(partitions, { files, size, flashSize }, findings);
}

interface FlashEnds {
  /** Name of the bootloader's file; empty for the bootloader on the board. */
  readonly files: readonly string[];
  readonly size: number;
  readonly flashSize: number | null;
}

function checkEnds(partitions: readonly Partition[], { files, size, flashSize }: FlashEnds, findings: EspFindings) {
  const beyond = partitions.find((one) => one.offset + one.size > size);
  if (beyond !== undefined && (flashSize === null || beyond.offset + beyond.size <= flashSize)) {
    findings.warn('partitions-beyond-setting', { files, partitions: [beyond.name], wanted: sizeText(size) });
  }
}

/** Codes that some chip has. Builds of different ages wrote other ones for the same frequency. */
const usualFrequencyCodes: readonly number[] = [0, 1, 2, 15];
