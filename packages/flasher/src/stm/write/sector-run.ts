/** Sectors that are erased and written together, with their wanted contents: written and kept bytes. */
import { isFilledWith } from '../../core/bytes.ts';
import { endOf, joinRanges, rangeOf } from '../../core/ranges.ts';
import type { FlashRange, FlashRegion } from '../../core/region.ts';
import type { StmTouchedSector } from '../parts/flash-layout.ts';

/** A stretch of a run, in bytes from its start. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

export class SectorRun {
  readonly touched: readonly StmTouchedSector[];
  readonly offset: number;
  /** Wanted contents of the sectors; the erased value where nothing is written. */
  readonly image: Uint8Array;
  /** Contents that were read to be kept, without empty ones. */
  readonly kept: readonly FlashRegion[];
  /**
   * Stretches to send, in whole blocks. Kept contents come first, because they exist nowhere else until they are
   * written.
   */
  readonly stretches: readonly Stretch[];
  /** Ranges to read back: every byte of the regions and the kept contents. */
  readonly proven: readonly FlashRange[];

  /**
   * @param touched Adjacent sectors.
   * @param kept Contents outside of the pieces.
   * @param block Bytes that are sent at once, a multiple of the granularity.
   */
  constructor(touched: readonly StmTouchedSector[], kept: readonly FlashRegion[], erasedValue: number, block: number) {
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

  get toSend(): number {
    return this.stretches.reduce((sum, { start, end }) => sum + end - start, 0);
  }

  /** Bytes of the regions in this run. */
  get wanted(): number {
    return this.touched.flatMap(({ pieces }) => pieces).reduce((sum, { bytes }) => sum + bytes.length, 0);
  }

  /** Returns the wanted contents of `range`, which is within the run. */
  at({ offset, length }: FlashRange): Uint8Array {
    return this.image.subarray(offset - this.offset, offset - this.offset + length);
  }
}

/** Returns the blocks that are not empty. Empty ones need no write after the erase. */
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
