/**
 * Compares a plan with the flash, region by region. The writer adds hashes as it asks for them, so that a page can
 * show regions that are already there before a byte is written.
 */

import type { PlannedRegion } from '../../core/flash-plan.ts';
import { md5 } from '../../core/md5.ts';
import type { EspPlan } from './esp-plan-types.ts';

/** Offset of a region → its MD5 from the board, 32 lower-case hexadecimal digits. */
export type DeviceHashes = ReadonlyMap<number, string>;

export interface RegionComparison {
  readonly same: readonly PlannedRegion[];
  readonly different: readonly PlannedRegion[];
  /** Regions whose hash is not known yet. */
  readonly unknown: readonly PlannedRegion[];
  /** Bytes that are the same, and bytes that differ or are unknown. */
  readonly sameBytes: number;
  readonly otherBytes: number;
  /** Name of a file → state of its regions together. */
  readonly files: ReadonlyMap<string, 'same' | 'different' | 'unknown'>;
}

/** Caches hashes, because the bytes of regions do not change and are compared often. */
const knownHashes = new WeakMap<Uint8Array, string>();

function hashOf(bytes: Uint8Array): string {
  const hash = knownHashes.get(bytes) ?? md5(bytes);
  knownHashes.set(bytes, hash);
  return hash;
}

export function compareWithDevice({ regions }: Pick<EspPlan, 'regions'>, hashes: DeviceHashes): RegionComparison {
  const groups: Record<'same' | 'different' | 'unknown', PlannedRegion[]> = { same: [], different: [], unknown: [] };
  const files = new Map<string, 'same' | 'different' | 'unknown'>();
  for (const region of regions) {
    const hash = hashes.get(region.offset);
    const state = hash === undefined ? 'unknown' : hash === hashOf(region.bytes) ? 'same' : 'different';
    groups[state].push(region);
    files.set(region.file, worseOf(files.get(region.file) ?? 'same', state));
  }
  const bytesOf = (some: readonly PlannedRegion[]) => some.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const sameBytes = bytesOf(groups.same);
  return { ...groups, files, sameBytes, otherBytes: bytesOf(regions) - sameBytes };
}

const order = ['same', 'unknown', 'different'] as const;

function worseOf(one: (typeof order)[number], other: (typeof order)[number]): (typeof order)[number] {
  return order.indexOf(one) > order.indexOf(other) ? one : other;
}
