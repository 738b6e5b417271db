/** Reading flash, and comparing it with what it should hold: block by block, from the last good one on after a disturbance. */
import { isFilledWith, isSame } from '../../core/bytes.ts';
import { overlapOf } from '../../core/ranges.ts';
import type { FlashRange, FlashRegion } from '../../core/region.ts';
import { crcOfWords } from '../an3155/crc-words.ts';
import type { Loader, TakeBlock } from '../loader.ts';
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
  const blocks = [...blocksIn(range, loader.blockSize)];
  await readBlocks(loader, blocks, signal, ({ offset, length }, found) => {
    bytes.set(found, offset - range.offset);
    onProgress?.(offset - range.offset + length, range.length);
    return true;
  });
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

/**
 * Where flash first holds something else than `wanted`, and what is there; null when it holds all of it.
 * @param wanted in the order in which it is read.
 * @param onSame told of each block, up to 256 bytes, that is as it should be.
 */
export async function findDifference(
  loader: Loader,
  wanted: readonly FlashRegion[],
  signal: AbortSignal,
  onSame?: (block: FlashRange) => void,
): Promise<FlashRegion | null> {
  const blocks = wanted.flatMap((region) => [...blocksIn(rangeOf(region), loader.blockSize)]);
  let different: FlashRegion | null = null;
  await readBlocks(loader, blocks, signal, (block, found) => {
    if (!isHeldBy(wanted, block, found)) {
      different = { offset: block.offset, bytes: found };
      return false;
    }
    onSame?.(block);
    return true;
  });
  return different;
}

/** What flash holds where it differs from each of `wanted`, up to the first that it holds. @param wanted up to 256 bytes each */
export async function findDifferences(
  loader: Loader,
  wanted: readonly FlashRegion[],
  signal: AbortSignal,
): Promise<FlashRegion[]> {
  const different: FlashRegion[] = [];
  await readBlocks(loader, wanted.map(rangeOf), signal, (block, found) => {
    if (isHeldBy(wanted, block, found)) {
      return false;
    }
    different.push({ offset: block.offset, bytes: found });
    return true;
  });
  return different;
}

function isHeldBy(wanted: readonly FlashRegion[], block: FlashRange, found: Uint8Array): boolean {
  const region = wanted.find((one) => overlapOf(rangeOf(one), block) !== null);
  const start = block.offset - (region?.offset ?? 0);
  return region !== undefined && isSame(found, region.bytes.subarray(start, start + block.length));
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

/** One block after the other; after a fault from the block on that was not read. */
async function readBlocks(
  loader: Loader,
  blocks: readonly FlashRange[],
  signal: AbortSignal,
  take: TakeBlock,
): Promise<void> {
  let taken = 0;
  let isWanted = true;
  const work = async () => {
    await loader.readBlocks(isWanted ? blocks.slice(taken) : [], signal, (block, bytes) => {
      taken++;
      isWanted = take(block, bytes);
      return isWanted;
    });
  };
  await retryOn(loader, signal, work, () => taken);
}

/** Cut where blocks of flash begin, so that a first odd one does not make all of them odd. */
function* blocksIn({ offset, length }: FlashRange, size: number): Generator<FlashRange> {
  for (let at = offset; at < offset + length; ) {
    const end = Math.min(offset + length, at - (at % size) + size);
    yield { offset: at, length: end - at };
    at = end;
  }
}
