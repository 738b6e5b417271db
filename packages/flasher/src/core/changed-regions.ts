/** Contents of flash after a planned change, as regions for comparing, verifying and drawing. */
import { joined } from '@wirebench/port/bytes';
import type { BoardChange } from './board-change.ts';
import type { PlannedRegion } from './flash-plan.ts';
import { type FlashRange, sectorSize, usualRegionSize } from './region.ts';

export interface ChangedRegion extends FlashRange {
  /** Contents; null: the sectors are erased and stay empty. */
  readonly bytes: Uint8Array | null;
}

/**
 * Returns the sectors that the change writes or erases, with their last contents, in the order of addresses. Adjacent
 * sectors form regions of up to 64 KiB.
 */
export function changedRegions({ erases, writes }: Pick<BoardChange, 'erases' | 'writes'>): ChangedRegion[] {
  const sectors = new Map<number, Uint8Array | null>();
  for (const { offset, length } of erases) {
    for (let at = 0; at < length; at += sectorSize) {
      sectors.set(offset + at, null);
    }
  }
  for (const { offset, bytes } of writes) {
    for (let at = 0; at < bytes.length; at += sectorSize) {
      sectors.set(offset + at, bytes.subarray(at, at + sectorSize));
    }
  }
  const groups: { offset: number; parts: (Uint8Array | null)[] }[] = [];
  for (const [offset, bytes] of [...sectors].sort(([one], [other]) => one - other)) {
    const last = groups.at(-1);
    const follows = last !== undefined && last.offset + last.parts.length * sectorSize === offset;
    if (follows && offset % usualRegionSize !== 0 && (last.parts[0] === null) === (bytes === null)) {
      last.parts.push(bytes);
    } else {
      groups.push({ offset, parts: [bytes] });
    }
  }
  return groups.map(({ offset, parts }) => {
    const length = parts.length * sectorSize;
    return { offset, length, bytes: parts[0] === null ? null : joined(...parts.filter((part) => part !== null)) };
  });
}

/** Returns erased flash of this length, for comparing. */
export function erasedBytes(length: number): Uint8Array {
  return new Uint8Array(length).fill(0xff);
}

/** Returns what changes leave in the sectors that they write, under their names. Erased sectors are regions of 0xFF. */
export const changedParts = (changes: readonly BoardChange[]): PlannedRegion[] =>
  changes.flatMap((change) =>
    changedRegions(change).map(({ offset, length, bytes }) => ({
      file: change.name,
      offset,
      bytes: bytes ?? erasedBytes(length),
    })),
  );

/** Returns the bytes that a change leaves in a range; null unless it writes all of the range's sectors. */
export function bytesAfter(change: Pick<BoardChange, 'erases' | 'writes'>, range: FlashRange): Uint8Array | null {
  const result = new Uint8Array(range.length);
  let found = 0;
  for (const { offset, bytes } of changedRegions(change)) {
    const start = Math.max(offset, range.offset);
    const end = Math.min(offset + (bytes?.length ?? 0), range.offset + range.length);
    if (bytes !== null && start < end) {
      result.set(bytes.subarray(start - offset, end - offset), start - range.offset);
      found += end - start;
    }
  }
  return found === range.length ? result : null;
}
