/**
 * The flash of a board after a write: what the board has, overlaid with what is written. Parts of merged images, of
 * Intel HEX and of UF2 are seen like single files. It says of every stretch what it is for, who reads it at a start, and
 * whether a board with encrypted flash stores it encrypted. `check-after.ts` has the rules.
 */
import type { BoardChange } from '../../core/board-change.ts';
import { bytesAfter, changedRegions } from '../../core/changed-regions.ts';
import { endOf, inSectors, overlapOf } from '../../core/ranges.ts';
import { type FlashRange, sectorSize } from '../../core/region.ts';
import { orNull } from '../../images/image-error.ts';
import { type ChipName, chipFacts } from '../chips/chip-facts.ts';
import { bootOrder } from '../images/boot-order.ts';
import { type FlashPlace, flashPlaceAt } from '../images/flash-places.ts';
import { readFlashSettings } from '../images/flash-settings.ts';
import { chipOfPart, type ImagePart } from '../images/image-part.ts';
import type { InnerPart } from '../images/inner-parts.ts';
import { erasedOtaData, type OtaEntries, type OtaEntry, otherOtaData, readOtaEntries } from '../images/ota-data.ts';
import {
  type Partition,
  type PartitionTable,
  readPartitionTable,
  tableSectorSize,
  usualTableOffset,
} from '../images/partition-table.ts';
import { isApp, isOtaData, isStoredEncrypted } from '../images/partition-types.ts';
import type { EspPlanBoard } from './esp-plan-types.ts';
import { type PlacedPart, rangeOf, rangeOfPartition } from './placed-part.ts';

/** Alignment of apps in bytes, because flash is mapped in pages of 64 KiB. */
export const APP_ALIGNMENT = 0x10000;

/** The partition table that is in flash after the write. */
export interface TableInPlace {
  readonly table: PartitionTable;
  readonly offset: number;
  /** Name of the file or change that it comes from; null for the board's own table. */
  readonly file: string | null;
}

/** A part of a file at its place in flash. */
export interface AfterPart {
  readonly source: PlacedPart;
  /** Flash offset in bytes. */
  readonly offset: number;
  /** In bytes. */
  readonly size: number;
  readonly part: ImagePart;
  /** True: one of several parts of its file. False: the whole file. */
  readonly isInside: boolean;
}

/** Contents at the start of a partition. `kept`: those that the board has there, which are unknown. */
export type StartState = 'program' | 'other' | 'erased' | 'kept';

/** A stretch of flash of one use. */
export interface FlashStretch extends FlashRange {
  readonly place: FlashPlace;
  /** Reads it at a start; null: nothing that the partition table knows. */
  readonly reader: 'rom' | 'bootloader' | 'app' | null;
  /** True: stored encrypted on a board whose flash is encrypted. Null: only a partition table could say it. */
  readonly isEncrypted: boolean | null;
}

const readers: Readonly<Record<FlashPlace['use'], FlashStretch['reader']>> = {
  bootloader: 'rom',
  'partition-table': 'bootloader',
  app: 'bootloader',
  'ota-data': 'bootloader',
  data: 'app',
  unknown: null,
};

/** OTA data after a write, and where they come from. */
export interface OtaDataAfter {
  readonly partition: Partition;
  readonly entries: OtaEntries;
  /** `board`: kept as they are now. `unread`: kept, and nothing is known of them. */
  readonly from: 'files' | 'change' | 'erase' | 'board' | 'unread';
}

export interface FlashAfterInput {
  readonly files: readonly PlacedPart[];
  readonly changes?: readonly BoardChange[];
  /** Null without a connected board. */
  readonly board: EspPlanBoard | null;
  /** Chip of the board or of the release; null: that of the files. */
  readonly chip: ChipName | null;
  /** True: everything else is erased. */
  readonly eraseAll?: boolean;
}

export class FlashAfter {
  readonly files: readonly PlacedPart[];
  readonly changes: readonly BoardChange[];
  /** In the order of the files. */
  readonly parts: readonly AfterPart[];
  readonly board: EspPlanBoard | null;
  readonly chip: ChipName | null;
  /** In bytes; null if unknown. */
  readonly flashSize: number | null;
  /** Null if unknown, or if there is no table. */
  readonly inPlace: TableInPlace | null;
  /** True: everything is erased before the write. */
  readonly isErasedFirst: boolean;

  constructor({ files, changes = [], board, chip, eraseAll = false }: FlashAfterInput) {
    this.files = files;
    this.changes = changes;
    this.parts = files.flatMap(partsOf);
    this.board = board;
    this.chip = chip ?? files.map(({ part }) => chipOfPart(part)).find((one) => one !== null) ?? null;
    this.flashSize = board?.info.flash?.size ?? null;
    this.inPlace = tableOf(this.parts, files) ?? changedTable(changes, board) ?? ownTable(board);
    this.isErasedFirst = eraseAll;
  }

  get partitions(): readonly Partition[] {
    return this.inPlace?.table.partitions ?? [];
  }

  /** Flash offset at which the bootloader looks for the table, as far as it is known. */
  get tableOffset(): number {
    return this.inPlace?.offset ?? this.board?.tableOffset ?? usualTableOffset;
  }

  /** False: the chip has no fixed places of programs. */
  get hasPartitions(): boolean {
    return this.chip === null || chipFacts[this.chip].hasPartitions;
  }

  /** The partition at an address; null if there is none. */
  partitionAt(address: number): Partition | null {
    return this.partitions.find(({ offset, size }) => address >= offset && address < offset + size) ?? null;
  }

  /** The program that is written to where the ROM starts one; null if nothing is written there, or something else. */
  get started(): AfterPart | null {
    const place = this.chip === null ? null : chipFacts[this.chip].bootloaderOffset;
    return this.parts.find((one) => isProgram(one) && programOffset(one) === place) ?? null;
  }

  /** Flash size in the header of the written bootloader, in bytes. Null: none is written, or its code is unknown. */
  get headerSize(): number | null {
    const part = this.started?.part;
    return this.chip === null || part?.kind !== 'bootloader'
      ? null
      : readFlashSettings(this.chip, part.image.flash).size;
  }

  /** Splits a range by use, in the order of addresses. Partitions end with whole sectors. */
  stretchesOf(range: FlashRange): FlashStretch[] {
    const headEnd = this.tableOffset + tableSectorSize;
    const ranges = this.partitions.map((partition) => inSectors(rangeOfPartition(partition)));
    const borders = [this.tableOffset, headEnd, ...ranges.flatMap((one) => [one.offset, endOf(one)]), endOf(range)];
    const inside = [...new Set(borders)].filter((at) => at > range.offset && at <= endOf(range));
    let from = range.offset;
    return inside
      .sort((one, other) => one - other)
      .map((end) => {
        const stretch = { offset: from, length: end - from, ...this.#useAt(from) };
        from = end;
        return stretch;
      });
  }

  #useAt(offset: number): Omit<FlashStretch, keyof FlashRange> {
    const { chip, inPlace, tableOffset } = this;
    const place = flashPlaceAt(offset, { chip, table: inPlace?.table ?? null, tableOffset });
    const isHead = place.partition === null && offset < tableOffset + tableSectorSize;
    const outside = isHead || (inPlace === null ? null : false);
    const isEncrypted = place.partition === null ? outside : isStoredEncrypted(place.partition);
    return { place, reader: readers[place.use], isEncrypted };
  }

  /** Null without a place for OTA data, or without a known partition table. */
  get otaData(): OtaDataAfter | null {
    const partition = this.partitions.findLast(isOtaData);
    if (partition === undefined) {
      return null;
    }
    const range = rangeOfPartition(partition);
    const change = this.changes.find((one) => overlapOf(one.range, range) !== null);
    if (change !== undefined) {
      return {
        partition,
        entries: entriesAfter(change, partition, this.board?.otaData ?? erasedOtaData),
        from: 'change',
      };
    }
    if (this.files.some((file) => overlapOf(rangeOf(file), range) !== null)) {
      return {
        partition,
        entries: [this.#entryOfFiles(partition, 0), this.#entryOfFiles(partition, 1)],
        from: 'files',
      };
    }
    if (this.isErasedFirst) {
      return { partition, entries: erasedOtaData, from: 'erase' };
    }
    const table = boardTable(this.board);
    if (table === null && this.board?.table !== 'none') {
      return { partition, entries: otherOtaData, from: 'unread' };
    }
    const isThere = table?.partitions.findLast(isOtaData)?.offset === partition.offset;
    const own = isThere ? (this.board?.otaData ?? erasedOtaData) : otherOtaData;
    return { partition, entries: own, from: 'board' };
  }

  /** Returns an entry of OTA data that the files write, at least in part. */
  #entryOfFiles({ offset }: Partition, index: 0 | 1): OtaEntry | null {
    const at = offset + index * sectorSize;
    const isAt = (range: FlashRange) => at >= range.offset && at < endOf(range);
    if (!this.files.some((file) => isAt(rangeOf(file)))) {
      return this.isErasedFirst ? null : (this.board?.otaData?.[index] ?? null);
    }
    const found = this.parts.find((one) => isAt(rangeOf(one)));
    if (found === undefined || found.part.kind === 'empty') {
      return null;
    }
    return found.part.kind === 'ota-data' ? found.part.entries[found.offset === at ? 0 : 1] : otherOtaData[0];
  }

  /**
   * Returns the app that the bootloader starts; null if it finds none. Apps that stay on the board count as intact, as
   * far as they begin like one.
   *
   * @param rollback True: the bootloader is built with rollback.
   */
  startingApp(entries: OtaEntries, rollback: boolean): Partition | null {
    const order = bootOrder({ partitions: this.partitions, entries, rollback });
    return order.find((app) => ['program', 'kept'].includes(this.startOf(app))) ?? null;
  }

  /** App partitions whose app is written. */
  get writtenApps(): Partition[] {
    return this.partitions.filter((one) => isApp(one) && this.startOf(one) === 'program');
  }

  startOf({ offset }: Pick<Partition, 'offset'>): StartState {
    const isAt = (range: FlashRange) => offset >= range.offset && offset < endOf(range);
    const found = this.parts.find((one) => isAt(rangeOf(one)));
    if (found !== undefined && found.part.kind !== 'empty') {
      const isImage = found.part.kind === 'broken' && found.part.looksLike === 'image';
      return found.offset === offset && (isProgram(found) || isImage) ? 'program' : 'other';
    }
    if (this.isErasedFirst || this.files.some((file) => isAt(rangeOf(file)))) {
      return 'erased';
    }
    return this.board?.emptyApps?.includes(offset) === true ? 'other' : 'kept';
  }
}

export function isProgram({ part }: Pick<AfterPart, 'part'>): boolean {
  return part.kind === 'app' || part.kind === 'bootloader';
}

/** Returns the flash offset of a program. A file may have erased flash or a digest in front of it. */
export function programOffset({ offset, part }: Pick<AfterPart, 'offset' | 'part'>): number {
  return offset + (part.kind === 'bootloader' ? part.position : 0);
}

function partsOf(file: PlacedPart): AfterPart[] {
  const { offset, size, part, inner } = file;
  return isOnePart(file)
    ? [{ source: file, offset, size, part, isInside: false }]
    : inner.map((one) => ({ ...one, source: file, offset: offset + one.at, isInside: true }));
}

/** Returns true for a file that is one part of a build. Others put several parts into flash, as merged files do. */
export function isOnePart({ part, inner }: Pick<PlacedPart, 'part' | 'inner'>): boolean {
  switch (part.kind) {
    case 'merged':
      return false;
    case 'app':
    case 'bootloader':
      return part.image.chip === 'esp8266' || (recognised(inner).length <= 1 && !hasDataFarBehind(inner));
    case 'partition-table':
      return inner.length <= 1;
    case 'unknown':
      // Other data may hold a file system of its own.
      return inner.every((one) => !isProgram(one) && one.part.kind !== 'partition-table');
    case 'ota-data':
    case 'nvs':
    case 'nvs-keys':
    case 'file-system':
      return recognised(inner).every((one) => one.part.kind === part.kind);
    default:
      return true;
  }
}

function recognised(inner: readonly InnerPart[]): InnerPart[] {
  return inner.filter(({ part }) => part.kind !== 'unknown');
}

/**
 * Returns true for data that cannot be the end of the program at the start of a file. A signature is in the sector behind the
 * next 64 KiB (espsecure, `sign_data`).
 */
function hasDataFarBehind([program, ...others]: readonly InnerPart[]): boolean {
  const end = program === undefined ? 0 : program.at + program.size;
  const signed = Math.ceil(end / APP_ALIGNMENT) * APP_ALIGNMENT + sectorSize;
  return others.some(({ at }) => at > signed);
}

/** Returns the table of the files. A merged image may hold a second one, of an earlier build. */
function tableOf(parts: readonly AfterPart[], files: readonly PlacedPart[]): TableInPlace | null {
  for (const file of files) {
    const { name, offset, part } = file;
    if (part.kind === 'merged') {
      return { table: part.table, offset: part.tableOffset - part.offset + offset, file: name };
    }
    const found = parts.find((one) => one.source === file && one.part.kind === 'partition-table');
    if (found?.part.kind === 'partition-table') {
      return { table: found.part.table, offset: found.offset, file: name };
    }
  }
  return null;
}

function changedTable(changes: readonly BoardChange[], board: EspPlanBoard | null): TableInPlace | null {
  const offset = board?.tableOffset ?? usualTableOffset;
  const range = { offset, length: tableSectorSize };
  const changed = changes.find((change) => overlapOf(change.range, range) !== null);
  const bytes = changed === undefined ? null : bytesAfter(changed, range);
  const table = bytes === null ? null : orNull(() => readPartitionTable(bytes));
  return table === null || changed === undefined ? null : { table, offset, file: changed.name };
}

/** Returns the entries of OTA data after a change that writes or erases some of their sectors. */
function entriesAfter(change: BoardChange, { offset }: Partition, before: OtaEntries): OtaEntries {
  const regions = changedRegions(change);
  const entryAt = (index: 0 | 1) => {
    const at = offset + index * sectorSize;
    const region = regions.find((one) => at >= one.offset && at < endOf(one));
    if (region === undefined) {
      return before[index];
    }
    return region.bytes === null ? null : readOtaEntries(region.bytes.subarray(at - region.offset))[0];
  };
  return [entryAt(0), entryAt(1)];
}

function ownTable(board: EspPlanBoard | null): TableInPlace | null {
  const table = boardTable(board);
  return table === null ? null : { table, offset: board?.tableOffset ?? usualTableOffset, file: null };
}

export function boardTable(board: EspPlanBoard | null): PartitionTable | null {
  return board === null || typeof board.table === 'string' ? null : board.table;
}
