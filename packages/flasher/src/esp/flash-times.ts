/**
 * Longest times for erasing and programming a serial NOR flash chip, in milliseconds. Source: Winbond W25Q32JV data
 * sheet, section "AC Electrical Characteristics". A sector erase takes 400 ms, a 64 KB block erase 2 s, a page
 * program 3 ms, a chip erase 50 s. Averages do not bound a single step, so a deadline counts the sectors, blocks and
 * pages that the step touches.
 */
import { type FlashRange, sectorSize } from '../core/region.ts';

/** Bytes of one block erase and of one page program. */
const BLOCK = 64 * 1_024;
const PAGE = 256;

const SECTOR_ERASE = 400;
const BLOCK_ERASE = 2_000;
const PAGE_PROGRAM = 3;
/** Assumed size of a flash chip that does not report its own, in bytes. */
const LARGE_CHIP = 16 * 1_024 * 1_024;
/** Bytes that a stub inflates before it writes them (esp-flasher-stub, `s_flash_defl_data_post_process`). */
const WINDOW = 32 * 1_024;
/** Most bytes that a deflate code yields if a block boundary cuts it (RFC 1951, section 3.2.5: 258). */
const LAG = 258;

/** Returns the addresses of the whole blocks in a range; `start >= end` if it has no whole block. */
function blocksOf({ offset, length }: FlashRange): { readonly start: number; readonly end: number } {
  return { start: Math.ceil(offset / BLOCK) * BLOCK, end: Math.floor((offset + length) / BLOCK) * BLOCK };
}

/**
 * Returns the number of sectors of `range` that an erase of `whole` clears one by one, because no block of `whole`
 * covers them.
 */
function singleSectors(whole: FlashRange, { offset, length }: FlashRange): number {
  const { start, end } = blocksOf(whole);
  const first = Math.floor(offset / sectorSize) * sectorSize;
  const last = Math.ceil((offset + length) / sectorSize) * sectorSize;
  const covered = Math.max(0, Math.min(end, last) - Math.max(start, first));
  return (last - first - covered) / sectorSize;
}

/** Returns the longest erase of `range` in milliseconds: aligned blocks at once, other sectors one by one. */
export function longestErase(range: FlashRange): number {
  const whole = wholeSectors(range);
  const { start, end } = blocksOf(whole);
  const blocks = Math.max(0, end - start) / BLOCK;
  return singleSectors(whole, whole) * SECTOR_ERASE + blocks * BLOCK_ERASE;
}

/**
 * Returns the longest erase of the whole chip in milliseconds, including a stub that erases it block by block.
 *
 * @param size Bytes of flash; null if the chip does not report its size.
 */
export function longestChipErase(size: number | null): number {
  return longestErase({ offset: 0, length: size ?? LARGE_CHIP });
}

/** Returns the longest programming of `length` bytes at any offset, in milliseconds. */
export function longestProgram(length: number): number {
  return length === 0 ? 0 : (Math.ceil(length / PAGE) + 1) * PAGE_PROGRAM;
}

/**
 * Returns the longest time for which a stub is busy with one block after acknowledging it, in milliseconds. The stub
 * erases ahead: each window may wait for one erase in progress, for the single sectors below it, and for its pages.
 *
 * @param run The whole run.
 * @param from Bytes of the run that were inflated before this block.
 * @param to Bytes of the run that are inflated after this block.
 */
export function longestStubWork(run: FlashRange, from: number, to: number): number {
  const start = Math.floor(from / WINDOW) * WINDOW;
  const length = Math.min(to + LAG, run.length) - start;
  const windows = Math.ceil(length / WINDOW);
  const sectors = singleSectors(wholeSectors(run), { offset: run.offset + start, length });
  const erases = windows * BLOCK_ERASE + sectors * SECTOR_ERASE;
  return Math.min(erases, longestErase(run)) + longestProgram(length);
}

function wholeSectors({ offset, length }: FlashRange): FlashRange {
  const start = Math.floor(offset / sectorSize) * sectorSize;
  return { offset: start, length: Math.ceil((offset + length) / sectorSize) * sectorSize - start };
}
