/** One file for a whole flash, byte for byte as `esptool merge-bin` writes it: gaps are filled with 0xFF. */
import type { NamedRange } from '../../core/flash-plan.ts';
import { endOf, inSectors, overlapOf, without } from '../../core/ranges.ts';
import type { FlashRegion } from '../../core/region.ts';
import type { Partition } from '../images/partition-table.ts';

/** A file at its place in flash. */
export interface MergePart extends FlashRegion {
  /** Name of the file or partition. */
  readonly name: string;
}

/** Returns the parts in the order of addresses. @throws RangeError if two of them overlap, or if there is none. */
export function sortedParts(parts: readonly MergePart[]): MergePart[] {
  const sorted = parts.toSorted((one, other) => one.offset - other.offset);
  if (sorted.length === 0) {
    throw new RangeError('There is nothing to merge.');
  }
  for (const [index, part] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next !== undefined && part.offset + part.bytes.length > next.offset) {
      throw new RangeError(`${part.name} and ${next.name} overlap.`);
    }
  }
  return sorted;
}

/** Returns the bytes of flash from `start` to the end of the last part. */
export function mergeRaw(parts: readonly MergePart[], start = 0): Uint8Array {
  const sorted = sortedParts(parts);
  const end = Math.max(...sorted.map(({ offset, bytes }) => offset + bytes.length));
  const merged = new Uint8Array(end - start).fill(0xff);
  for (const { offset, bytes } of sorted) {
    merged.set(bytes, offset - start);
  }
  return merged;
}

/** Returns the partitions that the padding of a raw file erases although no part is for them, as far as it reaches. */
export function paddingOf(
  parts: readonly MergePart[],
  partitions: readonly Pick<Partition, 'name' | 'offset' | 'size'>[],
  start = 0,
): NamedRange[] {
  const sorted = sortedParts(parts);
  const written = sorted.map(({ offset, bytes }) => inSectors({ offset, length: bytes.length }));
  const end = Math.max(...written.map(endOf));
  const gaps = without({ offset: start, length: end - start }, written);
  return partitions.flatMap(({ name, offset, size }) => {
    const padded = gaps.flatMap((gap) => overlapOf(gap, { offset, length: size }) ?? []);
    const isWritten = written.some((range) => overlapOf(range, { offset, length: size }) !== null);
    const [first] = padded;
    return first === undefined || isWritten ? [] : [{ name, ...first }];
  });
}
