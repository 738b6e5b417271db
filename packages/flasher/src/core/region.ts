/** Regions of flash with their contents. Plans produce them, and writers consume them. */
import { addressText } from './bytes.ts';

/** Smallest unit that the NOR flash of this package's chips erases, in bytes. */
export const sectorSize = 4_096;

/**
 * A range of flash that is written, compared and verified by itself: it has its own compressed stream and its own
 * hash. A resumed write repeats whole regions, and a second write skips whole regions.
 */
export interface FlashRegion {
  /** Flash offset in bytes, a multiple of `sectorSize`, because writing erases whole sectors. */
  readonly offset: number;
  /** Contents; not empty. The rest of the last sector is erased (0xFF). Must not change during the write. */
  readonly bytes: Uint8Array;
  /**
   * True: the chip encrypts the bytes while it writes them (Espressif). What it writes cannot be compared with `bytes`,
   * so the region is always written and never verified.
   */
  readonly encrypted?: true;
}

/** A range of flash without contents, in bytes. */
export interface FlashRange {
  readonly offset: number;
  readonly length: number;
}

/**
 * Default size of a region, in bytes: the block that flash chips erase at once. It is small enough to rewrite for one
 * changed byte, and large enough that the time for its hash is negligible.
 */
export const usualRegionSize = 64 * 1_024;

/**
 * Splits `bytes` at `offset` into regions of `size` bytes; the last one may be shorter. Regions are views: nothing is
 * copied.
 *
 * @param offset Multiple of `sectorSize`.
 * @param size Multiple of `sectorSize`; 64 to 256 KiB work well.
 * @throws RangeError if `offset` or `size` is not such a multiple.
 */
export function splitIntoRegions(offset: number, bytes: Uint8Array, size: number = usualRegionSize): FlashRegion[] {
  if (offset < 0 || offset % sectorSize !== 0 || size <= 0 || size % sectorSize !== 0) {
    throw new RangeError(`Regions start and end at multiples of ${sectorSize} bytes.`);
  }
  const regions: FlashRegion[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    regions.push({ offset: offset + at, bytes: bytes.subarray(at, at + size) });
  }
  return regions;
}

/** Bounds of the flash, and the step in bytes in which it is read and erased. */
export interface RangeLimits {
  readonly start: number;
  /** In bytes; null if unknown. */
  readonly size: number | null;
  readonly multipleOf: number;
}

/** Returns why the flash has no such range, as a sentence; null if it has. */
export function rangeFault({ offset, length }: FlashRange, { start, size, multipleOf }: RangeLimits): string | null {
  if (length === 0 || offset % multipleOf !== 0 || length % multipleOf !== 0) {
    return `Start and length must be multiples of ${addressText(multipleOf)}.`;
  }
  if (offset < start) {
    return `The flash begins at ${addressText(start)}.`;
  }
  return size !== null && offset + length > start + size ? `The flash ends at ${addressText(start + size)}.` : null;
}
