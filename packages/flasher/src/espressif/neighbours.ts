/**
 * Flash beside what is written. A ROM that was trusted too much destroys it and answers well, so after a write without the stub
 * the chip is asked whether it is what it was. (The stub writes nothing else: its code is known.)
 */
import { addressText } from '../bytes.ts';
import { type FlashRange, type FlashRegion, sectorSize } from '../region.ts';
import { EspError } from './esp-failure.ts';
import { hashRange } from './flash-memory.ts';
import { type Host, persist } from './persist.ts';

/** How far a ROM was seen to damage what it was not asked to write: the ESP32's programs windows of this many bytes. */
const REACH = 32 * 1_024;

export interface Neighbour extends FlashRange {
  readonly md5: string;
}

/**
 * What is beside `regions`, and in none of them; in order, each stretch once.
 * @param end of the flash chip.
 */
export function rangesBeside(regions: readonly FlashRegion[], end: number): FlashRange[] {
  const written = regions
    .map(({ offset, bytes }) => ({ from: offset, to: Math.ceil((offset + bytes.length) / sectorSize) * sectorSize }))
    .toSorted((one, other) => one.from - other.from);
  const ranges: FlashRange[] = [];
  const add = (from: number, to: number) => {
    if (from < to) {
      ranges.push({ offset: from, length: to - from });
    }
  };
  let free: number | null = null;
  for (const { from, to } of written) {
    const behind: number = free === null ? 0 : Math.min(free + REACH, from);
    add(free ?? 0, behind);
    add(Math.max(behind, from - REACH), from);
    free = to;
  }
  if (free !== null) {
    add(free, Math.min(free + REACH, end));
  }
  return ranges;
}

/** What the neighbours are before anything is written. */
export async function hashNeighbours(
  host: Host,
  regions: readonly FlashRegion[],
  signal: AbortSignal,
): Promise<Neighbour[]> {
  const last = regions.at(-1);
  // A chip of a size that is not known is not asked for what is behind the last region: there may be nothing.
  const end = host.session.info.flash?.size ?? (last === undefined ? 0 : last.offset + last.bytes.length);
  const neighbours: Neighbour[] = [];
  for (const range of rangesBeside(regions, end)) {
    neighbours.push({ ...range, md5: await persist(host, signal, (session) => hashRange(session, range, signal)) });
  }
  return neighbours;
}

/** @throws EspError `neighbour-changed` when one of them is not what it was; what `hashRange` throws. */
export async function checkNeighbours(
  host: Host,
  neighbours: readonly Neighbour[],
  signal: AbortSignal,
): Promise<void> {
  const changed: string[] = [];
  for (const { md5, ...range } of neighbours) {
    if ((await persist(host, signal, (session) => hashRange(session, range, signal))) !== md5) {
      changed.push(`${addressText(range.offset)} to ${addressText(range.offset + range.length - 1)}`);
    }
  }
  if (changed.length > 0) {
    throw new EspError('neighbour-changed', { detail: `Changed: ${changed.join(', ')}.`, state: 'damaged' });
  }
}
