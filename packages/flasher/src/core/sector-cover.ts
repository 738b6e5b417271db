/** Finds the sectors that regions touch, and the ranges in those sectors that belong to no region. */
import { addressText } from './bytes.ts';
import type { FlashError } from './flash-failure.ts';
import { endOf, overlapOf, rangeOf, without } from './ranges.ts';
import type { FlashRange, FlashRegion } from './region.ts';

/** A sector and the parts of regions in it. */
export interface TouchedSector<Sector extends FlashRange = FlashRange> {
  readonly sector: Sector;
  /** Parts of regions in the order of addresses. */
  readonly pieces: readonly FlashRegion[];
  /** Ranges that belong to no region, in the order of addresses. */
  readonly others: readonly FlashRange[];
}

/** Class of the family's errors, for bytes outside of all sectors. */
type OutsideFailure = new (code: 'outside-flash', options: { readonly detail: string }) => FlashError;

/**
 * Returns the touched sectors in the order of addresses.
 *
 * @param sectors In the order of addresses.
 * @throws `Failure` with `outside-flash` for bytes outside of all sectors.
 * @throws RangeError for regions that are empty or overlap.
 */
export function coverSectors<Sector extends FlashRange>(
  sectors: readonly Sector[],
  regions: readonly FlashRegion[],
  Failure: OutsideFailure,
): TouchedSector<Sector>[] {
  const sorted = regions.toSorted((one, other) => one.offset - other.offset);
  let free = 0;
  for (const { offset, bytes } of sorted) {
    if (bytes.length === 0 || offset < free) {
      throw new RangeError(`A region is not empty, and none overlaps another: ${addressText(offset)}.`);
    }
    free = offset + bytes.length;
  }
  const touched = sectors.flatMap((sector): TouchedSector<Sector>[] => {
    const pieces = sorted.flatMap((region) => pieceIn(sector, region) ?? []);
    return pieces.length === 0 ? [] : [{ sector, pieces, others: without(sector, pieces.map(rangeOf)) }];
  });
  const covered = touched.flatMap(({ pieces }) => pieces).reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (covered < sorted.reduce((sum, { bytes }) => sum + bytes.length, 0)) {
    const outside = sorted.flatMap((region) => without(rangeOf(region), sectors)[0] ?? [])[0]?.offset ?? 0;
    throw new Failure('outside-flash', { detail: `No sector has the address ${addressText(outside)}.` });
  }
  return touched;
}

/**
 * Returns the sectors that `ranges` touch, in the order of addresses.
 *
 * @throws `Failure` with `outside-flash`.
 */
export function sectorsIn<Sector extends FlashRange>(
  sectors: readonly Sector[],
  ranges: readonly FlashRange[],
  Failure: OutsideFailure,
): Sector[] {
  for (const range of ranges) {
    const [outside] = without(range, sectors);
    if (outside !== undefined) {
      throw new Failure('outside-flash', { detail: `No sector has the address ${addressText(outside.offset)}.` });
    }
  }
  return sectors.filter((sector) => ranges.some((range) => overlapOf(sector, range) !== null));
}

/** Groups adjacent sectors into runs of at most `most` bytes. A larger sector is a run by itself. */
export function runsOf<Sector extends FlashRange>(
  touched: readonly TouchedSector<Sector>[],
  most: number,
): TouchedSector<Sector>[][] {
  const runs: TouchedSector<Sector>[][] = [];
  let length = 0;
  for (const next of touched) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const follows = last !== undefined && endOf(last.sector) === next.sector.offset;
    if (run !== undefined && follows && length + next.sector.length <= most) {
      run.push(next);
      length += next.sector.length;
    } else {
      runs.push([next]);
      length = next.sector.length;
    }
  }
  return runs;
}

function pieceIn(sector: FlashRange, region: FlashRegion): FlashRegion | null {
  const overlap = overlapOf(sector, rangeOf(region));
  if (overlap === null) {
    return null;
  }
  const start = overlap.offset - region.offset;
  return { offset: overlap.offset, bytes: region.bytes.subarray(start, start + overlap.length) };
}
