/**
 * Sectors that are erased and written together, as the bytes that they should hold: what is written, and what is kept. Knows no
 * board.
 */
import { isFilledWith } from '../../core/bytes.ts';
import { endOf, joinRanges } from '../../core/ranges.ts';
import type { FlashRange, FlashRegion } from '../../core/region.ts';
import { rangeOf, type TouchedSector } from './sector-cover.ts';

/** A stretch of a run, in bytes from its start. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

export class SectorRun {
  readonly touched: readonly TouchedSector[];
  readonly offset: number;
  /** All that the sectors should hold; the erased value where nothing is written. */
  readonly image: Uint8Array;
  /** What was read to be kept, without what is empty. */
  readonly kept: readonly FlashRegion[];
  /** What has to be sent, in whole blocks: what is kept comes first, since it is nowhere else meanwhile. */
  readonly stretches: readonly Stretch[];
  /** What has to be read back: every byte of the regions, and what is kept. */
  readonly proven: readonly FlashRange[];

  /**
   * @param touched sectors that follow each other.
   * @param kept in none of the pieces.
   * @param block bytes that are sent at once, a multiple of what is programmed at once.
   */
  constructor(touched: readonly TouchedSector[], kept: readonly FlashRegion[], erasedValue: number, block: number) {
    const first = touched[0]?.sector.offset ?? 0;
    const last = touched.at(-1)?.sector;
    this.touched = touched;
    this.offset = first;
    this.image = new Uint8Array((last === undefined ? first : endOf(last)) - first).fill(erasedValue);
    this.kept = kept.filter(({ bytes }) => !isFilledWith(bytes, erasedValue));
    const pieces = touched.flatMap((one) => one.pieces);
    for (const { offset, bytes } of [...this.kept, ...pieces]) {
      this.image.set(bytes, offset - first);
    }
    const ranges = [...this.kept, ...pieces].map(rangeOf);
    this.proven = joinRanges(ranges.toSorted((one, other) => one.offset - other.offset));
    const blocks = blocksOf(this.image, erasedValue, block);
    const isKept = ({ start, end }: Stretch) =>
      this.kept.some(({ offset, bytes }) => offset - first < end && offset - first + bytes.length > start);
    this.stretches = [...joined(blocks.filter(isKept)), ...joined(blocks.filter((one) => !isKept(one)))];
  }

  /** Bytes that have to be sent. */
  get toSend(): number {
    return this.stretches.reduce((sum, { start, end }) => sum + end - start, 0);
  }

  /** Bytes of regions in it. */
  get wanted(): number {
    return this.touched.flatMap(({ pieces }) => pieces).reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  /** What should be at `range`, which is within the run. */
  at({ offset, length }: FlashRange): Uint8Array {
    return this.image.subarray(offset - this.offset, offset - this.offset + length);
  }
}

/** Blocks that are not empty: empty ones are as the erase leaves them. */
function blocksOf(image: Uint8Array, erasedValue: number, block: number): Stretch[] {
  const blocks: Stretch[] = [];
  for (let start = 0; start < image.length; start += block) {
    const end = Math.min(start + block, image.length);
    if (!isFilledWith(image.subarray(start, end), erasedValue)) {
      blocks.push({ start, end });
    }
  }
  return blocks;
}

function joined(blocks: readonly Stretch[]): Stretch[] {
  const stretches: Stretch[] = [];
  for (const block of blocks) {
    const last = stretches.at(-1);
    if (last?.end === block.start) {
      stretches[stretches.length - 1] = { start: last.start, end: block.end };
    } else {
      stretches.push(block);
    }
  }
  return stretches;
}
