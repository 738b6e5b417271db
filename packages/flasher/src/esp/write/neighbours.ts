/**
 * Checks flash next to written regions. Some ROMs destroy it and report success, so the chip's hashes are compared
 * after a write without the stub. The stub's code is known to write nothing else.
 *
 * A flash chip that does not report its size still has a power of two of bytes, at least as many as the write needs.
 * Up to there it is checked like any other. The range behind that may or may not be flash. The ROM is asked
 * nevertheless. It refuses, or hashes the flash there, or hashes the start of flash again if the chip ignores the
 * upper address bits.
 */
import { addressText } from '../../core/bytes.ts';
import { type FlashRange, type FlashRegion, sectorSize } from '../../core/region.ts';
import { asEspError, EspError } from '../esp-failure.ts';
import { type Host, retryOn } from './esp-retry.ts';
import { comparedHash, hashRange, isSameHash } from './flash-memory.ts';

/** Largest observed distance of damage by a ROM, in bytes. The ESP32's ROM programs windows of this size. */
export const REACH = 32 * 1_024;

/** Size of the smallest flash chip on these boards, in bytes. */
const SMALLEST = 256 * 1_024;

interface Neighbour extends FlashRange {
  readonly md5: string;
}

/** Ranges next to the regions, with their hashes before the write. */
export interface Neighbours {
  readonly certain: readonly Neighbour[];
  /** Range after the possible end of flash. Null if the size is known, or if no region comes near. */
  readonly uncertain: FlashRange | null;
  /** Null if the ROM refuses to hash it. */
  readonly before: UncertainHashes | null;
}

/** Hashes of a range that may not be flash, and of as many bytes from the start of flash. */
interface UncertainHashes {
  readonly range: string;
  readonly start: string;
}

/**
 * Returns the ranges next to `regions` and outside of them, in order and without overlaps.
 *
 * @param end End of the flash chip.
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

/**
 * Returns the flash size in bytes that is certain if the flash chip does not report its size.
 *
 * @param end End of the regions to write.
 */
export function certainSize(end: number): number {
  let size = SMALLEST;
  while (size < end) {
    size *= 2;
  }
  return size;
}

/**
 * Hashes the neighbouring ranges before the write.
 *
 * @param regions In order.
 */
export async function hashNeighbours(
  host: Host,
  regions: readonly FlashRegion[],
  signal: AbortSignal,
): Promise<Neighbours> {
  const last = regions.at(-1);
  const lastEnd = last === undefined ? 0 : last.offset + last.bytes.length;
  const { flash } = host.session.info;
  const size = flash?.size ?? certainSize(lastEnd);
  const certain: Neighbour[] = [];
  for (const range of rangesBeside(regions, size)) {
    certain.push({ ...range, md5: await retryOn(host, signal, (session) => hashRange(session, range, signal)) });
  }
  const reach = Math.ceil(lastEnd / sectorSize) * sectorSize + REACH;
  if (flash?.size || last === undefined || reach <= size) {
    return { certain, uncertain: null, before: null };
  }
  const uncertain = { offset: size, length: reach - size };
  return { certain, uncertain, before: await hashUncertain(host, uncertain, signal) };
}

/**
 * Compares the neighbouring ranges after the write.
 *
 * @returns a range that could not be checked; null if all were checked.
 * @throws EspError `neighbour-changed` if a range has changed.
 * @throws errors of `hashRange`.
 */
export async function checkNeighbours(
  host: Host,
  { certain, uncertain, before }: Neighbours,
  signal: AbortSignal,
): Promise<FlashRange | null> {
  const changed: FlashRange[] = [];
  for (const { md5, ...range } of certain) {
    const ask = () => retryOn(host, signal, (session) => hashRange(session, range, signal));
    if ((await comparedHash(md5, ask)) !== md5) {
      changed.push(range);
    }
  }
  let after = uncertain === null || before === null ? null : await hashUncertain(host, uncertain, signal);
  if (uncertain !== null && before !== null && after !== null && differs(before, after)) {
    after = await hashUncertain(host, uncertain, signal);
    if (after !== null && differs(before, after)) {
      changed.push(uncertain);
    }
  }
  if (changed.length > 0) {
    const places = changed.map(({ offset, length }) => `${addressText(offset)} to ${addressText(offset + length - 1)}`);
    throw new EspError('neighbour-changed', { detail: `Changed: ${places.join(', ')}.`, state: 'damaged' });
  }
  return after === null ? uncertain : null;
}

function differs(before: UncertainHashes, after: UncertainHashes): boolean {
  // Equal to the start of flash before and after: addresses wrap, so the change comes from writing the start, and the
  // range is not flash.
  const wraps = isSameHash(before.range, before.start) && isSameHash(after.range, after.start);
  return !wraps && !isSameHash(before.range, after.range);
}

/**
 * Hashes the uncertain range. Returns null if the ROM refuses twice, because a single refusal may be a damaged
 * answer. A ROM that stops answering is recovered and not asked again.
 */
async function hashUncertain(
  host: Host,
  range: FlashRange,
  signal: AbortSignal,
  attempt: 1 | 2 = 1,
): Promise<UncertainHashes | null> {
  const start = { offset: 0, length: range.length };
  try {
    return {
      range: await hashRange(host.session, range, signal),
      start: await retryOn(host, signal, (session) => hashRange(session, start, signal)),
    };
  } catch (error) {
    const failure = asEspError(error, signal);
    if (failure.code === 'stopped-answering') {
      await host.recover(failure, 1, signal);
    } else if (failure.code !== 'read-failed') {
      throw failure;
    } else if (attempt === 1) {
      return hashUncertain(host, range, signal, 2);
    }
    return null;
  }
}
