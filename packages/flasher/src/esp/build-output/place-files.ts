/**
 * Places several files at once: recognises each, groups those that belong together, and determines their offsets. A
 * list written by the build takes precedence, then contents, then names. Every file that is left out has a reason.
 */

import { baseName } from '../../core/base-name.ts';
import { addressText, isErased, isFilledWith } from '../../core/bytes.ts';
import type { NamedRange } from '../../core/flash-plan.ts';
import { overlapOf } from '../../core/ranges.ts';
import type { FlashRange } from '../../core/region.ts';
import { contentsOf, type FileContents } from '../../images/contents/contents.ts';
import { isBlank, type NotFirmware, notFirmwareBy, notFirmwareTitle } from '../../images/contents/not-firmware.ts';
import { ImageError } from '../../images/image-error.ts';
import { type ChipName, chipFacts } from '../chips/chip-facts.ts';
import { espImageMagic, readEspImage } from '../images/esp-image.ts';
import { flashPlaceAt, isProgramPlace } from '../images/flash-places.ts';
import { keepFlashSettings } from '../images/flash-settings.ts';
import { chipOfPart, type ImagePart, imagePartOf, partTitle } from '../images/image-part.ts';
import type { PartitionTable } from '../images/partition-table.ts';
import { type ExpandedFile, expandFiles } from './expand-files.ts';
import { type FoundList, listToFollow, reportFaults, separateLists } from './follow-list.ts';
import { matchListed } from './match-listed.ts';
import { notFlashedReason } from './not-flashed.ts';
import {
  type ConflictFinding,
  type DroppedFile,
  type LeftOutFile,
  type PlacedFile,
  type Placement,
  type Report,
  reportInto,
} from './placement.ts';
import { buildsAmong } from './several-builds.ts';
import { type PlacingContext, suggestOffset } from './suggest-offset.ts';

export interface PlaceOptions {
  /** Chip that was chosen or detected. Used for files that do not name one, and to select one of several builds. */
  readonly chip?: ChipName | null;
}

interface Recognised extends ExpandedFile {
  readonly part: ImagePart;
  readonly contents: FileContents | null;
}

/**
 * Places the files. Archives are unpacked, and formats with addresses are split; the parts' names contain the
 * original file name. Never throws because of a file's contents: an unreadable file becomes a conflict or has no
 * offset.
 */
export function placeFiles(files: readonly DroppedFile[], { chip: chosen = null }: PlaceOptions = {}): Placement {
  const conflicts: ConflictFinding[] = [];
  const report = reportInto(conflicts);

  const expanded = expandFiles(files);
  for (const { name, reason } of expanded.unreadable) {
    report('file-unreadable', [baseName(name)], reason);
  }
  const together = oneBuild(expanded.files, chosen, report);
  const { lists, rest } = separateLists(together.files, report);
  const leftOut: LeftOutFile[] = [...expanded.leftOut, ...together.leftOut];
  const recognised: Recognised[] = [];
  for (const file of rest) {
    const why = notFlashedReason(file, rest);
    if (why === null) {
      recognised.push({ ...file, part: imagePartOf(file.bytes), contents: contentsOf(file.bytes) });
    } else {
      leftOut.push({ name: file.name, bytes: file.bytes, why });
    }
  }

  const found = listToFollow(lists, chosen ?? soleChip(recognised), report);
  if (found !== null) {
    reportFaults(found, report);
  }
  const followed = found !== null && namesFiles(found) ? found : null;
  leftOut.push(
    ...lists.filter(({ file }) => file !== followed?.file).map(({ file }) => ({ ...file, why: 'Not needed.' })),
    ...spoiltBuilds(lists, followed),
  );
  const placed =
    followed === null
      ? placeByContents(recognised, chosen, leftOut)
      : placeByList(recognised, followed, leftOut, report);
  reportNoFirmware(placed, chosen ?? followed?.list.chip ?? soleChip(placed), report);

  const chips = chipsOf(placed);
  if (chips.length > 1) {
    const names = placed.filter(({ part }) => chipOfPart(part) !== null).map(({ name }) => baseName(name));
    report('chips-differ', names, chips.map((chip) => chipFacts[chip].label).join(' and '));
  }
  reportCollisions(placed, report);
  return {
    chip: chips.length > 1 ? null : (chips[0] ?? followed?.list.chip ?? null),
    files: placed.sort((one, other) => (one.offset ?? 2 ** 32) - (other.offset ?? 2 ** 32)),
    leftOut,
    conflicts,
    settings: followed?.list.settings ?? keepFlashSettings,
    table: tableOf(placed),
    list: followed?.file.name ?? null,
  };
}

/**
 * Chooses among several builds in an archive or in folders by the chip. Without a single one for the chip none is
 * written, because the first one may be for another board.
 */
function oneBuild(files: readonly ExpandedFile[], chip: ChipName | null, report: Report) {
  const packed = files.filter(({ name }) => /[/\\]/.test(name));
  const builds = buildsAmong(packed);
  const single = { files, leftOut: [] as LeftOutFile[] };
  if (builds.length < 2) {
    return single;
  }
  const fitting = builds.filter((build) => chip !== null && build.chip === chip);
  const [fits] = fitting.length === 1 ? fitting : [];
  const kept = new Set<ExpandedFile>(fits?.files);
  const names = builds.map(({ name }) => name);
  if (fits === undefined) {
    const among = fitting.length > 1 ? fitting.map(({ name }) => name) : names;
    report('several-builds', among, chip === null || fitting.length > 1 ? '' : chipFacts[chip].label);
  }
  const others = packed.filter((file) => ![...kept].some(({ name }) => name === file.name));
  const why =
    fits === undefined ? 'It belongs to one of several builds.' : `"${fits.name}" is the build for this chip.`;
  return {
    files: [...files.filter((file) => !packed.includes(file)), ...kept],
    leftOut: others.map(({ name, bytes }): LeftOutFile => ({ name, bytes, why })),
  };
}

/** Names the builds of the followed manifest that cannot be read. */
function spoiltBuilds(lists: readonly FoundList[], followed: FoundList | null): LeftOutFile[] {
  return lists.flatMap(({ file, list: { chip, spoilt = null } }, index) => {
    const name =
      chip === null ? `Build ${index + 1 - lists.findIndex((one) => one.file === file)}` : chipFacts[chip].label;
    return spoilt === null || file !== followed?.file
      ? []
      : [{ ...file, why: `Its build "${name}" cannot be read. ${spoilt}` }];
  });
}

/** Returns true if the list has at least one usable file name, without which it cannot be followed. */
function namesFiles({ list: { files, faults } }: FoundList): boolean {
  return files.length > 0 || faults.some(({ path }) => path !== null);
}

function placeByList(files: Recognised[], { file, list }: FoundList, leftOut: LeftOutFile[], report: Report) {
  const listName = baseName(file.name);
  const placed: PlacedFile[] = [];
  const taken = new Set<Recognised>();
  for (const match of matchListed(list.files, files)) {
    if (match.rivals.length > 0) {
      const names = match.rivals.map(({ name }) => name);
      report('listed-file-open', [match.listed.path, ...names], listName);
      for (const rival of match.rivals.filter((one) => !taken.has(one))) {
        taken.add(rival);
        leftOut.push({
          name: rival.name,
          bytes: rival.bytes,
          why: `${listName} may mean it, or another file of its name.`,
        });
      }
    } else if (match.file === null) {
      report('listed-file-missing', [baseName(match.listed.path)], listName);
    } else {
      taken.add(match.file);
      const { offset } = match.listed;
      placed.push(placedFile(match.file, offset, `${listName} has it at ${addressText(offset)}.`));
    }
  }
  const spoilt = list.faults.flatMap(({ path }) => (path === null ? [] : [{ path, offset: 0, encrypted: false }]));
  const free = files.filter((other) => !taken.has(other));
  for (const { file: match } of matchListed(spoilt, free)) {
    if (match !== null) {
      taken.add(match);
      placed.push(placedFile(match, null, `${listName} lists it without a usable offset.`));
    }
  }
  const others = files.filter((other) => !taken.has(other));
  const unlisted = others.filter(({ added }) => added !== true);
  leftOut.push(...unlisted.map(({ name, bytes }) => ({ name, bytes, why: `Not listed in ${listName}.` })));
  const context = { chip: list.chip ?? soleChip(placed), table: tableOf(placed), merged: mergedRanges(placed) };
  return [...placed, ...others.filter(({ added }) => added === true).map((other) => placedByContents(other, context))];
}

/**
 * Compares files that were dropped together for the same data at the same place. Only then may one of them be left
 * out.
 */

const HASH_SIZE = 32;

/** Returns true if `other` contains all of `file` at the place where `file` goes. */
function isPartOf(file: PlacedFile, other: PlacedFile): boolean {
  const start = startIn(file, other);
  const end = start + file.bytes.length;
  return start >= 0 && end <= other.bytes.length && isSameData(file.bytes, other.bytes.subarray(start, end));
}

/** Returns true if `file` consists of `others`, each at its place, and padding between them. */
function isMadeOf(file: PlacedFile, others: readonly PlacedFile[]): boolean {
  const inside = others
    .map((other) => ({ bytes: other.bytes, start: startIn(other, file) }))
    .filter(({ start, bytes }) => start < file.bytes.length && start + bytes.length > 0)
    .toSorted((one, other) => one.start - other.start);
  let at = 0;
  for (const { bytes, start } of inside) {
    const [from, to] = [Math.max(0, start), Math.min(file.bytes.length, start + bytes.length)];
    const isSame = isSameData(bytes.subarray(from - start, to - start), file.bytes.subarray(from, to));
    if (!isSame || !isPadding(file.bytes.subarray(at, Math.max(at, from)))) {
      return false;
    }
    at = Math.max(at, to);
  }
  return inside.length > 0 && isPadding(file.bytes.subarray(at));
}

/** Returns the position of `file` in `other`; NaN if one of them has no offset. */
function startIn(file: PlacedFile, other: PlacedFile): number {
  return file.offset === null || other.offset === null ? Number.NaN : file.offset - other.offset;
}

const isPadding = (bytes: Uint8Array) => isErased(bytes) || isFilledWith(bytes, 0);

/**
 * Compares two images apart from flash settings and hash, because merging tools change the bootloader's header
 * (esptool, `merge-bin`).
 */
function isSameData(one: Uint8Array, other: Uint8Array): boolean {
  const free = one[0] === espImageMagic ? settingsAndHash(one) : [];
  return one.every((byte, at) => byte === other[at] || free.some(([start, end]) => at >= start && at < end));
}

function settingsAndHash(bytes: Uint8Array): (readonly [start: number, end: number])[] {
  try {
    const { size, hasHash } = readEspImage(bytes);
    return [[2, 4], ...(hasHash ? [[size - HASH_SIZE, size] as const] : [])];
  } catch (error) {
    if (error instanceof ImageError) {
      return [];
    }
    throw error;
  }
}

/**
 * Places files by their contents. Duplicate data is flashed once: a file whose bytes another one has at the same
 * place is left out with that reason.
 */
function placeByContents(files: Recognised[], chosen: ChipName | null, leftOut: LeftOutFile[]): PlacedFile[] {
  const context = { chip: soleChip(files) ?? chosen, table: tableOf(files) };
  const recognised = new Map(files.map((file) => [placedByContents(file, context), file]));
  const placed = [...recognised.keys()];
  const merged = placed.filter(({ part }) => part.kind === 'merged');
  const single = placed.filter(({ part }) => part.kind !== 'merged');
  const covered = merged.filter((file) => isMadeOf(file, single));
  leftOut.push(
    ...covered.map(({ name, bytes }) => ({ name, bytes, why: 'The separate files next to it contain the same data.' })),
  );
  const whole = merged.filter((file) => !covered.includes(file));
  const kept = single.filter((file) => {
    const holder = whole.find((other) => isPartOf(file, other));
    if (holder !== undefined) {
      leftOut.push({ name: file.name, bytes: file.bytes, why: `${baseName(holder.name)} contains it.` });
    }
    return holder === undefined;
  });
  const beside = { ...context, merged: mergedRanges(whole) };
  const moved = kept.map((file) => {
    const own = recognised.get(file);
    const isOver = beside.merged.some((range) => overlapOf(range, rangeOf(file)) !== null);
    return isOver && own !== undefined ? placedByContents(own, beside) : file;
  });
  return [...whole, ...moved];
}

/** Returns the places of the merged images among files. */
function mergedRanges(files: readonly PlacedFile[]): NamedRange[] {
  return files
    .filter(({ part, offset }) => part.kind === 'merged' && offset !== null)
    .map((file) => ({ name: baseName(file.name), ...rangeOf(file) }));
}

/** Returns the place of a file; one without bytes for a file without an offset. */
function rangeOf({ offset, bytes }: PlacedFile): FlashRange {
  return offset === null ? { offset: 0, length: 0 } : { offset, length: bytes.length };
}

function placedByContents(file: Recognised, context: PlacingContext): PlacedFile {
  if (file.address !== null) {
    return placedFile(file, file.address, 'The file itself gives this address.');
  }
  const { offset, why } = suggestOffset(file.name, file.part, context, file.bytes.length);
  return placedFile(file, offset, why);
}

function placedFile({ name, bytes, part, contents }: Recognised, offset: number | null, why: string): PlacedFile {
  const not = notFirmwareIn(part, contents);
  return { name, bytes, part, contents, offset, what: not === null ? partTitle(part) : notFirmwareTitle(not), why };
}

function chipsOf(files: readonly { readonly part: ImagePart }[]): ChipName[] {
  return [...new Set(files.flatMap(({ part }) => chipOfPart(part) ?? []))];
}

function soleChip(files: readonly { readonly part: ImagePart }[]): ChipName | null {
  const [only, second] = chipsOf(files);
  return second === undefined ? (only ?? null) : null;
}

function tableOf(files: readonly { readonly part: ImagePart }[]): PartitionTable | null {
  for (const { part } of files) {
    if (part.kind === 'partition-table' || part.kind === 'merged') {
      return part.table;
    }
  }
  return null;
}

function reportCollisions(files: readonly PlacedFile[], report: Report): void {
  const sorted = files
    .flatMap(({ name, bytes, offset }) => (offset === null ? [] : [{ name, offset, end: offset + bytes.length }]))
    .sort((one, other) => one.offset - other.offset);
  let furthest: (typeof sorted)[number] | undefined;
  for (const file of sorted) {
    if (furthest !== undefined && file.offset < furthest.end) {
      const names = [furthest.name, file.name].map(baseName);
      report(furthest.offset === file.offset ? 'same-place' : 'overlap', names, addressText(file.offset));
    }
    furthest = furthest === undefined || file.end > furthest.end ? file : furthest;
  }
}

/** Names the contents of a file that is certainly not firmware; null for any other file. */
function notFirmwareIn({ kind }: ImagePart, contents: FileContents | null): NotFirmware | null {
  return kind === 'unknown' && !isBlank(contents) ? notFirmwareBy(contents, 'esp') : null;
}

/** Reports files that are certainly not firmware, if they go to a program's place or have no offset. */
function reportNoFirmware(files: readonly PlacedFile[], chip: ChipName | null, report: Report): void {
  const table = tablePlaceIn(files);
  for (const { name, offset, part, contents } of files) {
    const not = notFirmwareIn(part, contents);
    if (not !== null && (offset === null || isProgramPlace(flashPlaceAt(offset, { chip, ...table })))) {
      report('not-firmware', [baseName(name)], `${not.name}\n${not.remedy}`);
    }
  }
}

function tablePlaceIn(files: readonly PlacedFile[]): {
  readonly table: PartitionTable | null;
  readonly tableOffset?: number;
} {
  for (const { part, offset } of files) {
    if (part.kind === 'partition-table' && offset !== null) {
      return { table: part.table, tableOffset: offset };
    }
    if (part.kind === 'merged') {
      return { table: part.table, tableOffset: part.tableOffset };
    }
  }
  return { table: null };
}
