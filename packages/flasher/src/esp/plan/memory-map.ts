/** Lays out a plan: the regions to write, and the whole flash in the order of addresses with name and fate of each area. */

import type { BoardChange } from '../../core/board-change.ts';
import { changedRegions } from '../../core/changed-regions.ts';
import type { Fate, MapArea, NamedRange, PlannedRegion } from '../../core/flash-plan.ts';
import { endOf, inSectors } from '../../core/ranges.ts';
import { type FlashRange, sectorSize, splitIntoRegions } from '../../core/region.ts';
import { chipFacts } from '../chips/chip-facts.ts';
import { tableSectorSize } from '../images/partition-table.ts';
import type { EncryptablePiece } from './encrypted-pieces.ts';
import type { FlashAfter } from './flash-after.ts';
import type { Piece } from './kept-settings.ts';

/** Returns the regions. A file that does not begin on a sector is refused and has none. */
export function regionsOf(pieces: readonly EncryptablePiece[], size: number): PlannedRegion[] {
  return pieces
    .filter(({ offset }) => Number.isSafeInteger(offset) && offset >= 0 && offset % sectorSize === 0)
    .sort((one, other) => one.offset - other.offset)
    .flatMap(({ file, offset, bytes, encrypted }) =>
      splitIntoRegions(offset, bytes, size).map((region) => ({ ...region, file, ...(encrypted && { encrypted }) })),
    );
}

export interface MapInput {
  /** Names the places, and gives the size of the flash. */
  readonly after: FlashAfter;
  /** Stretches of the files that are written. */
  readonly pieces: readonly Piece[];
  /** Changes of a person, and the choice of the new app. */
  readonly changes: readonly BoardChange[];
  readonly eraseAll: boolean;
  readonly erase: readonly NamedRange[];
  /** Ranges that are read before everything is erased, and written back. */
  readonly restore: readonly NamedRange[];
}

/** Splits the flash at every border, gives each area its name and fate, and joins equal neighbours. */
export function memoryMap(input: MapInput): MapArea[] {
  const names = namedStretches(input.after);
  const changed = input.changes.flatMap((change) =>
    changedRegions(change).map((region) => ({ ...region, file: change.name })),
  );
  const written = [
    ...input.pieces.map(({ file, offset, bytes }) => ({ file, ...inSectors({ offset, length: bytes.length }) })),
    ...changed.filter(({ bytes }) => bytes !== null),
  ];
  const erased = [...input.erase, ...changed.filter(({ bytes }) => bytes === null)];
  const all: readonly FlashRange[] = [...names, ...written, ...erased, ...input.restore];
  const end = input.after.flashSize ?? Math.max(0, ...all.map(endOf));
  const borders = [...new Set([0, end, ...all.flatMap((range) => [range.offset, endOf(range)])])]
    .filter((at) => at >= 0 && at <= end)
    .sort((one, other) => one - other);
  const areas: MapArea[] = [];
  for (const [index, offset] of borders.entries()) {
    const next = borders[index + 1];
    if (next !== undefined) {
      addArea(areas, { offset, length: next - offset, ...describe(offset) });
    }
  }
  return areas;

  function describe(at: number): Pick<MapArea, 'name' | 'fate' | 'file'> {
    const file = written.find((range) => contains(range, at))?.file ?? null;
    const name = names.find((range) => contains(range, at))?.name ?? null;
    return { name, file, fate: file === null ? fateOf(at) : 'written' };
  }

  function fateOf(at: number): Fate {
    if (changed.some((range) => range.bytes === null && contains(range, at))) {
      return 'erased';
    }
    if (input.restore.some((range) => contains(range, at))) {
      return 'restored';
    }
    return input.eraseAll || input.erase.some((range) => contains(range, at)) ? 'erased' : 'kept';
  }
}

function addArea(areas: MapArea[], area: MapArea): void {
  const last = areas.at(-1);
  if (last !== undefined && last.name === area.name && last.fate === area.fate && last.file === area.file) {
    areas[areas.length - 1] = { ...last, length: last.length + area.length };
  } else {
    areas.push(area);
  }
}

/** Returns the partitions, the bootloader and the table, although tables seldom list the latter two. Empty without a table. */
function namedStretches({ chip, inPlace, partitions, tableOffset }: FlashAfter): NamedRange[] {
  if (inPlace === null) {
    return [];
  }
  const start = chip === null ? tableOffset : chipFacts[chip].bootloaderOffset;
  return [
    ...partitions.map(({ name, offset, size }) => ({ name, offset, length: size })),
    { name: 'bootloader', offset: start, length: Math.max(0, tableOffset - start) },
    { name: 'partition table', offset: tableOffset, length: tableSectorSize },
  ];
}

function contains({ offset, length }: FlashRange, at: number): boolean {
  return at >= offset && at < offset + length;
}
