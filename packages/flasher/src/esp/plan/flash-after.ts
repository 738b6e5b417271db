/**
 * The flash of a board after a write: what the board has, overlaid with what is written. Parts of merged images, of
 * Intel HEX and of UF2 are seen like single files. `check-after.ts` has the rules.
 */
import type { BoardChange } from '../../core/board-change.ts';
import { bytesAfter } from '../../core/changed-regions.ts';
import { endOf, overlapOf } from '../../core/ranges.ts';
import type { FlashRange } from '../../core/region.ts';
import { orNull } from '../../images/image-error.ts';
import { type ChipName, chipFacts } from '../chips/chip-facts.ts';
import { readFlashSettings } from '../images/flash-settings.ts';
import { chipOfPart, type ImagePart } from '../images/image-part.ts';
import type { InnerPart } from '../images/inner-parts.ts';
import {
  type Partition,
  type PartitionTable,
  readPartitionTable,
  tableSectorSize,
  usualTableOffset,
} from '../images/partition-table.ts';
import type { EspPlanBoard } from './esp-plan-types.ts';
import { type PlacedPart, rangeOf } from './placed-part.ts';

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

  startOf({ offset }: Pick<Partition, 'offset'>): StartState {
    const isAt = (range: FlashRange) => offset >= range.offset && offset < endOf(range);
    const found = this.parts.find((one) => isAt(rangeOf(one)));
    if (found !== undefined && found.part.kind !== 'empty') {
      const isImage = found.part.kind === 'broken' && found.part.looksLike === 'image';
      return found.offset === offset && (isProgram(found) || isImage) ? 'program' : 'other';
    }
    return this.isErasedFirst || this.files.some((file) => isAt(rangeOf(file))) ? 'erased' : 'kept';
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

function isOnePart({ part, inner }: Pick<PlacedPart, 'part' | 'inner'>): boolean {
  switch (part.kind) {
    case 'merged':
      return false;
    case 'app':
    case 'bootloader':
      return part.image.chip === 'esp8266' || recognised(inner).length <= 1;
    case 'partition-table':
      return recognised(inner).length <= 1;
    case 'unknown':
      // Other data may hold a file system of its own.
      return inner.every((one) => !isProgram(one) && one.part.kind !== 'partition-table');
    default:
      return true;
  }
}

function recognised(inner: readonly InnerPart[]): InnerPart[] {
  return inner.filter(({ part }) => part.kind !== 'unknown');
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

function ownTable(board: EspPlanBoard | null): TableInPlace | null {
  const table = boardTable(board);
  return table === null ? null : { table, offset: board?.tableOffset ?? usualTableOffset, file: null };
}

export function boardTable(board: EspPlanBoard | null): PartitionTable | null {
  return board === null || typeof board.table === 'string' ? null : board.table;
}
