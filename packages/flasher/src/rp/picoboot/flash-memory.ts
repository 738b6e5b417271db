/**
 * Reads, erases and writes flash. It checks every range before it sends anything, because the ROM acknowledges what it
 * refuses, and does not know the size of the flash.
 */
import { addressText } from '../../core/bytes.ts';
import { endOf } from '../../core/ranges.ts';
import { type FlashRange, sectorSize } from '../../core/region.ts';
import { eraseLimit, readLimit, writeLimit } from '../deadlines.ts';
import { flashStart } from '../files/index.ts';
import { RpError } from '../rp-failure.ts';
import { flashErase, readMemory, writeMemory } from './commands.ts';
import type { PicobootLink } from './picoboot-link.ts';

/** Unit in which flash is programmed, and in which its addresses are read, in bytes. */
export const pageSize = 256;
/** Flash that the chips can address (RP2040 datasheet 2.6.3, RP2350 datasheet 4.4): 16 MiB at chip select 0. */
export const addressableFlash = 16 * 1_024 * 1_024;

/** Bytes of one READ, and commands that are under way while a long range is read. */
const READ_BYTES = 32 * 1_024;
const AHEAD = 2;

export class FlashMemory {
  readonly link: PicobootLink;
  /** In bytes; null until it is known. */
  size: number | null = null;

  constructor(link: PicobootLink) {
    this.link = link;
  }

  get range(): FlashRange {
    return { offset: flashStart, length: this.size ?? addressableFlash };
  }

  /** @param range Any range of flash; whole pages are read. */
  async read(range: FlashRange): Promise<Uint8Array> {
    const { offset, length } = this.#inside(range);
    const start = Math.floor(offset / pageSize) * pageSize;
    const end = Math.ceil((offset + length) / pageSize) * pageSize;
    const bytes = await this.link.run(readMemory(start, end - start), readLimit(end - start));
    return bytes.subarray(offset - start, offset - start + length);
  }

  /** @param range Whole sectors. */
  async erase(range: FlashRange): Promise<void> {
    const { offset, length } = this.#inside(range, sectorSize);
    await this.link.run(flashErase(offset, length), eraseLimit(length / sectorSize));
  }

  /** @param offset Multiple of 256. @param bytes Whole pages. */
  async write(offset: number, bytes: Uint8Array): Promise<void> {
    this.#inside({ offset, length: bytes.length }, pageSize);
    await this.link.run(writeMemory(offset, bytes), writeLimit(bytes.length));
  }

  /**
   * Reads a long range.
   *
   * @param onProgress Receives the bytes that are read.
   */
  async readAll(
    range: FlashRange,
    signal: AbortSignal,
    onProgress: (done: number, total: number) => void = () => undefined,
  ): Promise<Uint8Array> {
    const bytes = new Uint8Array(range.length);
    await inFlight(
      blocksOf(range, READ_BYTES),
      AHEAD,
      signal,
      (block) => this.read(block),
      (part, block) => {
        bytes.set(part, block.offset - range.offset);
        onProgress(endOf(block) - range.offset, range.length);
      },
    );
    return bytes;
  }

  #inside(range: FlashRange, unit = 1): FlashRange {
    const { offset, length } = range;
    const isWhole = offset % unit === 0 && length % unit === 0 && length > 0;
    if (!isWhole || offset < flashStart || endOf(range) > endOf(this.range)) {
      throw new RpError('outside-flash', { detail: `${length} bytes at ${addressText(offset)}.` });
    }
    return range;
  }
}

/** Splits a range into blocks of at most `size` bytes. */
export function blocksOf({ offset, length }: FlashRange, size: number): FlashRange[] {
  const blocks: FlashRange[] = [];
  for (let at = 0; at < length; at += size) {
    blocks.push({ offset: offset + at, length: Math.min(size, length - at) });
  }
  return blocks;
}

/**
 * Starts work for each item, a few ahead of the oldest that has not ended, and hands the results on in order. What has been
 * started ends before the rejection, so that nothing runs afterwards.
 *
 * @param items May be drawn up from the results so far.
 * @throws the first rejection. @throws the reason of `signal`.
 */
export async function inFlight<Item, Result>(
  items: Iterable<Item>,
  ahead: number,
  signal: AbortSignal,
  start: (item: Item) => Promise<Result>,
  finish: (result: Result, item: Item) => void | Promise<void>,
): Promise<void> {
  const started: { readonly item: Item; readonly work: Promise<Result> }[] = [];
  const next = async () => {
    const [first] = started.splice(0, 1);
    if (first !== undefined) {
      await finish(await first.work, first.item);
    }
  };
  try {
    for (const item of items) {
      signal.throwIfAborted();
      const work = start(item);
      work.catch(() => undefined);
      started.push({ item, work });
      if (started.length > ahead) {
        await next();
      }
    }
    while (started.length > 0) {
      signal.throwIfAborted();
      await next();
    }
  } catch (error) {
    await Promise.allSettled(started.map(({ work }) => work));
    throw error;
  }
}
