/**
 * What flash should contain: the one type between a plan (which bytes go where) and a writer (how they get there).
 * Knows no chip and no file.
 */

/** Smallest unit that NOR flash erases on the chips of this package, in bytes. */
export const sectorSize = 4_096;

/**
 * A range of flash that is written, compared and verified by itself: it has its own compressed stream and its own hash,
 * so it is what a resumed write repeats and what a second write skips.
 */
export interface FlashRegion {
  /** Address in flash, in bytes, a multiple of `sectorSize`: writing erases whole sectors. */
  readonly offset: number;
  /** What it should contain; not empty. What follows in its last sector is erased (0xFF). Must not change while it is written. */
  readonly bytes: Uint8Array;
}

/** A range of flash without its contents, in bytes. */
export interface FlashRange {
  readonly offset: number;
  readonly length: number;
}

/**
 * The best size of a region, in bytes: what flash chips erase at once, small enough to write again for one changed byte, and large
 * enough that the time to ask for its hash is negligible.
 */
export const usualRegionSize = 64 * 1_024;

/**
 * `bytes` at `offset` as regions of `size` bytes, the last one shorter. Regions are views: nothing is copied.
 * @param offset multiple of `sectorSize`.
 * @param size multiple of `sectorSize`; 64 to 256 KiB work well.
 * @throws RangeError when `offset` or `size` is not such a multiple.
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
