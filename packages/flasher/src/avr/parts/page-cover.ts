/** Pages of flash that ranges touch. */
import { overlapOf, rangeOf } from '../../core/ranges.ts';
import type { FlashRange, FlashRegion } from '../../core/region.ts';

/**
 * Returns the pages that `ranges` touch, in the order of addresses.
 *
 * @param inOrder True: all pages from 0 to the last touched one.
 */
export function pagesOf(ranges: readonly FlashRange[], pageSize: number, inOrder = false): FlashRange[] {
  const touched = new Set<number>();
  for (const { offset, length } of ranges) {
    for (let page = Math.floor(offset / pageSize); page * pageSize < offset + length; page++) {
      touched.add(page);
    }
  }
  const last = Math.max(-1, ...touched);
  const pages = inOrder ? Array.from({ length: last + 1 }, (_, page) => page) : [...touched];
  return pages.toSorted((one, other) => one - other).map((page) => ({ offset: page * pageSize, length: pageSize }));
}

/** Returns a page's contents: those of `regions`, and `before` beside them. */
export function withRegions(page: FlashRange, before: Uint8Array, regions: readonly FlashRegion[]): Uint8Array {
  const contents = before.slice();
  for (const region of regions) {
    const part = overlapOf(page, rangeOf(region));
    if (part !== null) {
      const start = part.offset - region.offset;
      contents.set(region.bytes.subarray(start, start + part.length), part.offset - page.offset);
    }
  }
  return contents;
}
