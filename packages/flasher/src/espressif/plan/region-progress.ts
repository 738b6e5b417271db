/**
 * A plan against what is in the flash: which regions are there already. The writer fills it in as it asks for hashes, so
 * that a page can say "already there" before a byte is written.
 */

import type { PlannedRegion } from '../../core/flash-plan.ts';
import { md5 } from '../../core/md5.ts';
import type { EspPlan } from './esp-plan-types.ts';

/** 32 lower-case hexadecimal digits by the offset of a region, as the board told them. */
export type DeviceHashes = ReadonlyMap<number, string>;

export interface RegionComparison {
  readonly same: readonly PlannedRegion[];
  readonly different: readonly PlannedRegion[];
  /** Not asked for yet. */
  readonly unknown: readonly PlannedRegion[];
  /** Bytes that are there, and that have to be written or may have to. */
  readonly sameBytes: number;
  readonly otherBytes: number;
  /** By the name of each file: whether all of it is there. */
  readonly files: ReadonlyMap<string, 'same' | 'different' | 'unknown'>;
}

/** Regions do not change: each is hashed once, however often they are compared. */
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
