/** Reading flash, and comparing it with what it should hold: block by block, each repeated by itself after a disturbance. */
import { isFilledWith } from '../../core/bytes.ts';
import type { FlashRange, FlashRegion } from '../../core/region.ts';
import { crcOfWords } from '../an3155/crc-words.ts';
import type { Loader } from '../loader.ts';
import { rangeOf } from './sector-cover.ts';
import { readTwice, retryOn } from './stm-retry.ts';

export interface Reading {
  readonly signal: AbortSignal;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export async function readRange(
  loader: Loader,
  range: FlashRange,
  { signal, onProgress }: Reading,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(range.length);
  for (const block of blocksIn(range, loader.blockSize)) {
    bytes.set(await readBlock(loader, block, signal), block.offset - range.offset);
    onProgress?.(block.offset - range.offset + block.length, range.length);
  }
  return bytes;
}

/**
 * What is to be erased and written back. The protocol carries no checksum of what is read: anything that is not empty is read until
 * two readings agree.
 */
export async function readSurely(
  loader: Loader,
  range: FlashRange,
  erasedValue: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  if (canCheck(loader, range)) {
    const empty = new Uint8Array(range.length).fill(erasedValue);
    if (await hasChecksumOf(loader, { offset: range.offset, bytes: empty }, signal)) {
      return empty;
    }
  }
  const first = await readRange(loader, range, { signal });
  if (isFilledWith(first, erasedValue)) {
    return first;
  }
  let known: Uint8Array | null = first;
  return readTwice(async () => {
    const bytes = known ?? (await readRange(loader, range, { signal }));
    known = null;
    return bytes;
  }, isSame);
}

/** Where flash first holds something else than `wanted`, and what is there; null when it holds all of it. */
export async function findDifference(
  loader: Loader,
  wanted: FlashRegion,
  signal: AbortSignal,
  onBlock?: (length: number) => void,
): Promise<FlashRegion | null> {
  for (const block of blocksIn(rangeOf(wanted), loader.blockSize)) {
    const found = await readBlock(loader, block, signal);
    const start = block.offset - wanted.offset;
    if (!isSame(found, wanted.bytes.subarray(start, start + block.length))) {
      return { offset: block.offset, bytes: found };
    }
    onBlock?.(block.length);
  }
  return null;
}

/** Whether the bootloader can calculate over `range`. */
export function canCheck(loader: Loader, { offset, length }: FlashRange): boolean {
  return loader.checksum !== null && offset % 4 === 0 && length % 4 === 0;
}

/** Whether the bootloader's checksum is that of `wanted`. Only where `canCheck`. */
export async function hasChecksumOf(loader: Loader, wanted: FlashRegion, signal: AbortSignal): Promise<boolean> {
  const found = await retryOn(loader, signal, async () => loader.checksum?.(rangeOf(wanted), signal));
  return found === crcOfWords(wanted.bytes);
}

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) {
    return false;
  }
  for (let index = 0; index < one.length; index++) {
    if (one[index] !== other[index]) {
      return false;
    }
  }
  return true;
}

function readBlock(loader: Loader, { offset, length }: FlashRange, signal: AbortSignal): Promise<Uint8Array> {
  return retryOn(loader, signal, () => loader.read(offset, length, signal));
}

/** Cut where blocks of flash begin, so that a first odd one does not make all of them odd. */
function* blocksIn({ offset, length }: FlashRange, size: number): Generator<FlashRange> {
  for (let at = offset; at < offset + length; ) {
    const end = Math.min(offset + length, at - (at % size) + size);
    yield { offset: at, length: end - at };
    at = end;
  }
}
