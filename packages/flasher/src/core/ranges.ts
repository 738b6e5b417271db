/** Arithmetic on ranges of flash: overlaps and differences. */
import { type FlashRange, type FlashRegion, sectorSize } from './region.ts';

export const rangeOf = ({ offset, bytes }: FlashRegion): FlashRange => ({ offset, length: bytes.length });

export function endOf({ offset, length }: FlashRange): number {
  return offset + length;
}

/** Extends the range to whole sectors, as an erase requires. */
export function inSectors({ offset, length }: FlashRange): FlashRange {
  const start = Math.floor(offset / sectorSize) * sectorSize;
  return { offset: start, length: Math.ceil((offset + length) / sectorSize) * sectorSize - start };
}

/** Returns the common bytes of both ranges; null if they do not overlap. */
export function overlapOf(one: FlashRange, other: FlashRange): FlashRange | null {
  const offset = Math.max(one.offset, other.offset);
  const end = Math.min(endOf(one), endOf(other));
  return offset < end ? { offset, length: end - offset } : null;
}

/**
 * Joins adjacent ranges.
 *
 * @param ranges In the order of addresses, without overlaps.
 */
export function joinRanges(ranges: readonly FlashRange[]): FlashRange[] {
  const joined: FlashRange[] = [];
  for (const range of ranges) {
    const last = joined.at(-1);
    if (last !== undefined && endOf(last) === range.offset) {
      joined[joined.length - 1] = { offset: last.offset, length: last.length + range.length };
    } else {
      joined.push(range);
    }
  }
  return joined;
}

/** Returns the parts of `range` outside of `taken`, in the order of addresses. */
export function without(range: FlashRange, taken: readonly FlashRange[]): FlashRange[] {
  const left: FlashRange[] = [];
  let at = range.offset;
  const touching = taken.filter((one) => overlapOf(range, one) !== null);
  for (const { offset, length } of touching.sort((one, other) => one.offset - other.offset)) {
    if (offset > at) {
      left.push({ offset: at, length: offset - at });
    }
    at = Math.max(at, offset + length);
  }
  return at < endOf(range) ? [...left, { offset: at, length: endOf(range) - at }] : left;
}

/** Returns the parts of a region outside of `taken`, in the order of addresses. */
export function partsOutside(region: FlashRegion, taken: readonly FlashRange[]): FlashRegion[] {
  return without(rangeOf(region), taken).map(({ offset, length }) => {
    const from = offset - region.offset;
    return { offset, bytes: region.bytes.subarray(from, from + length) };
  });
}

/**
 * Returns the sectors that the range touches, as one range; null if it touches no sector.
 *
 * @param sectors In the order of addresses.
 */
export function touchedSectors(sectors: readonly FlashRange[], range: FlashRange): FlashRange | null {
  const touched = sectors.filter((sector) => overlapOf(sector, range) !== null);
  const [first] = touched;
  const last = touched.at(-1);
  return first === undefined || last === undefined
    ? null
    : { offset: first.offset, length: endOf(last) - first.offset };
}
