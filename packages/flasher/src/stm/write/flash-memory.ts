/**
 * Reads flash and compares it with its expected contents, block by block. After a disturbance it continues after the
 * last good block.
 */
import { isFilledWith, isSame } from '../../core/bytes.ts';
import { overlapOf, rangeOf } from '../../core/ranges.ts';
import type { FlashRange, FlashRegion } from '../../core/region.ts';
import { crcOfWords } from '../an3155/crc-words.ts';
import type { Loader, TakeBlock } from '../loader.ts';
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
 * Reads contents that will be erased and written back. Reads have no checksum, so anything that is not empty is read
 * until two readings agree.
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
 * Returns the first block that differs from `wanted`, with its contents in flash; null if all blocks match.
 *
 * @param wanted In the order of reading.
 * @param onSame Receives each matching block, up to 256 bytes.
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

/**
 * Returns the flash contents of each of `wanted` that differs, up to the first that matches.
 *
 * @param wanted Up to 256 bytes each.
 */
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

/** Returns true if the bootloader can calculate the checksum of `range`. */
export function canCheck(loader: Loader, { offset, length }: FlashRange): boolean {
  return loader.checksum !== null && offset % 4 === 0 && length % 4 === 0;
}

/** Returns true if the bootloader's checksum matches `wanted`. Only if `canCheck`. */
export async function hasChecksumOf(loader: Loader, wanted: FlashRegion, signal: AbortSignal): Promise<boolean> {
  const found = await retryOn(loader, signal, async () => loader.checksum?.(rangeOf(wanted), signal));
  return found === crcOfWords(wanted.bytes);
}

/** Reads blocks in order. After a fault it continues with the first unread block. */
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

/** Splits a range at block borders, so that an odd start affects only the first block. */
function* blocksIn({ offset, length }: FlashRange, size: number): Generator<FlashRange> {
  for (let at = offset; at < offset + length; ) {
    const end = Math.min(offset + length, at - (at % size) + size);
    yield { offset: at, length: end - at };
    at = end;
  }
}
