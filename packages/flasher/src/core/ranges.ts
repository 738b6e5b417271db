/** Ranges of flash: where two overlap, and what is left of one without others. */
import { type FlashRange, sectorSize } from './region.ts';

export function endOf({ offset, length }: FlashRange): number {
  return offset + length;
}

/** The range in whole sectors: what an erase takes. */
export function inSectors({ offset, length }: FlashRange): FlashRange {
  const start = Math.floor(offset / sectorSize) * sectorSize;
  return { offset: start, length: Math.ceil((offset + length) / sectorSize) * sectorSize - start };
}

/** The bytes that both have; null when there are none. */
export function overlapOf(one: FlashRange, other: FlashRange): FlashRange | null {
  const offset = Math.max(one.offset, other.offset);
  const end = Math.min(endOf(one), endOf(other));
  return offset < end ? { offset, length: end - offset } : null;
}

/** The same bytes in as few ranges as possible. @param ranges in the order of addresses; none overlaps another */
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

/** What is left of `range`, in the order of addresses. */
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
