/**
 * Compares the whole flash before and after a write: initial contents, regions to write, expected contents. A write
 * erases whole sectors and must change nothing else.
 */
import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { rangeOf } from '../core/ranges.ts';
import { type FlashRange, type FlashRegion, sectorSize } from '../core/region.ts';
import { noise } from './program.ts';

/** Returns flash filled with foreign data. No byte of it is 0xFF or zero. */
export function fullFlash(size: number, seed = 11): Uint8Array {
  return noise(size, seed).map((byte) => (byte === 0xff || byte === 0x00 ? 0x5a : byte));
}

interface Layout {
  /** Units to leave alone before the region; 0 places it directly after the previous one. */
  readonly gap: number;
  /** Length in bytes. */
  readonly length: number;
  readonly seed: number;
}

export interface LayoutLimits {
  /** Size of the flash in bytes. */
  readonly size: number;
  /** Longest region in bytes. */
  readonly longest: number;
  /** Regions begin at a multiple of this, in bytes. Default: a sector. */
  readonly unit?: number;
  /** Largest gap between two regions, in units. */
  readonly widestGap?: number;
}

/**
 * Returns regions in the order of addresses: with odd lengths, some adjacent, and in half of the cases up to the end
 * of flash.
 */
export function regionLayouts({
  size,
  longest,
  unit = sectorSize,
  widestGap = 9,
}: LayoutLimits): fc.Arbitrary<FlashRegion[]> {
  const whole = fc.integer({ min: 1, max: 2 }).map((units) => units * unit);
  const layout = fc.record({
    gap: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: widestGap })),
    length: fc.oneof(fc.integer({ min: 1, max: longest }), whole),
    seed: fc.integer({ min: 1, max: 1_000 }),
  });
  return fc
    .record({ layouts: fc.array(layout, { minLength: 1, maxLength: 4 }), atEnd: fc.boolean() })
    .map(({ layouts, atEnd }) => regionsOf(layouts, { size, unit, atEnd }));
}

function regionsOf(
  layouts: readonly Layout[],
  { size, unit, atEnd }: { readonly size: number; readonly unit: number; readonly atEnd: boolean },
): FlashRegion[] {
  const regions: FlashRegion[] = [];
  let end = 0;
  for (const { gap, length, seed } of layouts) {
    const offset = end + gap * unit;
    const next = offset + Math.ceil(length / unit) * unit;
    if (next <= size) {
      const bytes = noise(length, seed);
      // `fullFlash` has no zero byte, so that a region never matches the flash by chance and is always written.
      bytes[0] = 0;
      regions.push({ offset, bytes });
      end = next;
    }
  }
  const shift = atEnd ? size - end : 0;
  return regions.map(({ offset, bytes }) => ({ offset: offset + shift, bytes }));
}

/** Returns ranges of whole sectors in a flash of `size` bytes. */
export function sectorRanges(size: number): fc.Arbitrary<FlashRange> {
  const sectors = size / sectorSize;
  return fc.tuple(fc.nat(sectors - 1), fc.integer({ min: 1, max: 12 })).map(([first, count]) => ({
    offset: first * sectorSize,
    length: Math.min(count, sectors - first) * sectorSize,
  }));
}

/** Returns the expected flash after `regions` were written over `before`. */
export function expectedAfter(before: Uint8Array, regions: readonly FlashRegion[]): Uint8Array {
  const after = erasedIn(before, regions.map(rangeOf));
  for (const { offset, bytes } of regions) {
    after.set(bytes, offset);
  }
  return after;
}

/** Returns the expected flash after the sectors of `ranges` were erased. */
export function erasedIn(before: Uint8Array, ranges: readonly FlashRange[]): Uint8Array {
  const after = before.slice();
  for (const { offset, length } of ranges) {
    after.fill(0xff, offset, sectorsEnd(offset + length));
  }
  return after;
}

/** Returns the sectors that differ, adjacent ones joined. Easier to read in a failure than two whole flashes. */
export function differences(actual: Uint8Array, expected: Uint8Array): string[] {
  const stretches: { start: number; end: number; bytes: number }[] = [];
  for (let at = 0; at < Math.max(actual.length, expected.length); at += sectorSize) {
    if (sectorAt(actual, at).equals(sectorAt(expected, at))) {
      continue;
    }
    let bytes = 0;
    for (let index = at; index < at + sectorSize; index++) {
      bytes += actual[index] === expected[index] ? 0 : 1;
    }
    const last = stretches.at(-1);
    if (bytes > 0 && last?.end === at) {
      last.end += sectorSize;
      last.bytes += bytes;
    } else if (bytes > 0) {
      stretches.push({ start: at, end: at + sectorSize, bytes });
    }
  }
  return stretches.map(({ start, end, bytes }) => `0x${start.toString(16)} to 0x${end.toString(16)}: ${bytes} bytes`);
}

/** Returns the differences outside of the sectors of `ranges`, for a write that did not finish. */
export function differencesOutside(actual: Uint8Array, before: Uint8Array, ranges: readonly FlashRange[]): string[] {
  return differences(erasedIn(actual, ranges), erasedIn(before, ranges));
}

/** Returns a view. Comparing two buffers takes a hundredth of the time of comparing their bytes one by one. */
function sectorAt({ buffer, byteOffset, length }: Uint8Array, at: number): Buffer {
  return Buffer.from(buffer, byteOffset + Math.min(at, length), Math.max(0, Math.min(sectorSize, length - at)));
}

function sectorsEnd(at: number): number {
  return Math.ceil(at / sectorSize) * sectorSize;
}
