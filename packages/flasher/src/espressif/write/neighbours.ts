/**
 * Flash beside what is written. A ROM that was trusted too much destroys it and answers well, so after a write without the stub
 * the chip is asked whether it is what it was. (The stub writes nothing else: its code is known.)
 *
 * A flash chip that does not tell its size still has a power of two of bytes, and at least what is to be written: up to there it is
 * checked like any other. What is behind that may be flash, or not be there. The ROM is asked all the same: it refuses, or gives
 * what is there, or the start of flash again, because the chip ignores the upper bits of an address.
 */
import { addressText } from '../../core/bytes.ts';
import { type FlashRange, type FlashRegion, sectorSize } from '../../core/region.ts';
import { asEspError, EspError } from '../esp-failure.ts';
import { type Host, retryOn } from './esp-retry.ts';
import { comparedHash, hashRange, isSameHash } from './flash-memory.ts';

/** How far a ROM was seen to damage what it was not asked to write: the ESP32's programs windows of this many bytes. */
export const REACH = 32 * 1_024;

/** The smallest flash chip that these boards have, in bytes. */
const SMALLEST = 256 * 1_024;

interface Neighbour extends FlashRange {
  readonly md5: string;
}

/** What is beside the regions, as it was before the write. */
export interface Neighbours {
  readonly certain: readonly Neighbour[];
  /** Where flash may have ended. Null when the size is known, or no region comes near. */
  readonly uncertain: FlashRange | null;
  /** Null when the ROM does not tell. */
  readonly before: UncertainHashes | null;
}

/** Of a range that may not be flash, and of as many bytes from the start of flash. */
interface UncertainHashes {
  readonly range: string;
  readonly start: string;
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

/**
 * What flash is there for certain, in bytes, when the flash chip does not tell its size.
 * @param end of what is to be written.
 */
export function certainSize(end: number): number {
  let size = SMALLEST;
  while (size < end) {
    size *= 2;
  }
  return size;
}

/** What the neighbours are before anything is written. @param regions in order. */
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
 * What could not be checked, if there is such a range.
 * @throws EspError `neighbour-changed` when one of them is not what it was; what `hashRange` throws.
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
  // The start of flash again, before and after: it was written there, and nothing is behind the end.
  const wraps = isSameHash(before.range, before.start) && isSameHash(after.range, after.start);
  return !wraps && !isSameHash(before.range, after.range);
}

/**
 * Null when the ROM refuses, twice: a refusal may be a good answer that was damaged. A ROM that stops answering instead is brought
 * back, and is not asked again.
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
