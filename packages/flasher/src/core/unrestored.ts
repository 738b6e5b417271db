import { overlapOf, rangeOf } from './ranges.ts';
import type { FlashRegion } from './region.ts';

export interface UnrestoredWrite<Report> {
  /** Data beside failed writes that is not written back yet, by the key of its board. */
  readonly unrestored: Map<string, readonly FlashRegion[]>;
  readonly key: string;
  readonly regions: readonly FlashRegion[];
  /** True: the flash was erased on purpose, so nothing is written back. */
  readonly eraseAll: boolean;
  readonly write: (regions: readonly FlashRegion[]) => Promise<Report>;
  /** Returns the data that a failed write could not write back. */
  readonly leftBy: (error: unknown) => readonly FlashRegion[];
}

/**
 * Writes regions, and with them what an earlier write of the board could not write back. Remembers what this one could
 * not.
 *
 * @throws the rejection of `write`.
 */
export async function writeWithUnrestored<Report>(parts: UnrestoredWrite<Report>): Promise<Report> {
  const { unrestored, key, regions, eraseAll, write, leftBy } = parts;
  const isBeside = (kept: FlashRegion) => regions.every((region) => overlapOf(rangeOf(region), rangeOf(kept)) === null);
  const kept = eraseAll ? [] : (unrestored.get(key) ?? []).filter(isBeside);
  try {
    const report = await write([...regions, ...kept]);
    unrestored.delete(key);
    return report;
  } catch (error) {
    const left = leftBy(error);
    if (left.length > 0) {
      unrestored.set(key, left);
    }
    throw error;
  }
}
