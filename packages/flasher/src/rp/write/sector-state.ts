/** A sector that a write touches: its wanted contents, what was found in it, and what has to be done. */
import { isErased, isFilledWith, isSame } from '../../core/bytes.ts';
import { rangeOf } from '../../core/ranges.ts';
import { type FlashRange, sectorSize } from '../../core/region.ts';
import type { TouchedSector } from '../../core/sector-cover.ts';
import { pageSize } from '../picoboot/flash-memory.ts';

export class SectorState {
  readonly offset: number;
  readonly touched: TouchedSector;
  /** Bytes of the regions in it. */
  readonly wanted: number;
  /** Contents after the write. Complete once `compare` was called, or if nothing in it is kept. */
  readonly image: Uint8Array;
  /** True: the sector holds something else. */
  differs = false;
  /** True: the sector is erased before it is written. */
  needsErase = true;
  /** Contents before the write; null if only a page was looked at, and after a fault. */
  #before: Uint8Array | null = null;

  constructor(touched: TouchedSector) {
    this.touched = touched;
    this.offset = touched.sector.offset;
    this.wanted = touched.pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
    this.image = new Uint8Array(sectorSize).fill(0xff);
    for (const { offset, bytes } of touched.pieces) {
      this.image.set(bytes, offset - this.offset);
    }
  }

  /** Bytes that are kept beside the regions and are not empty. */
  get kept(): FlashRange[] {
    return this.touched.others.filter(({ offset, length }) => {
      const from = offset - this.offset;
      return !isErased(this.image.subarray(from, from + length));
    });
  }

  /** Page of the first piece: a look at it shows most differences. */
  get probe(): FlashRange {
    const first = this.touched.pieces[0]?.offset ?? this.offset;
    return { offset: Math.floor(first / pageSize) * pageSize, length: pageSize };
  }

  /**
   * Decides from one page.
   *
   * @returns True if the page shows that the sector differs and has to be erased. False: all of it has to be read.
   */
  decideBy(page: Uint8Array): boolean {
    const { offset } = this.probe;
    const differs = this.touched.pieces.some((piece) => {
      const from = Math.max(piece.offset, offset);
      const end = Math.min(piece.offset + piece.bytes.length, offset + pageSize);
      return (
        from < end &&
        !isSame(
          piece.bytes.subarray(from - piece.offset, end - piece.offset),
          page.subarray(from - offset, end - offset),
        )
      );
    });
    // An empty page may be one of an empty sector, which needs no erase. Bytes beside the regions have to be read anyway.
    this.differs = differs && this.touched.others.length === 0 && !isErased(page);
    return this.differs;
  }

  /** Compares with the contents of the sector, and takes those that are kept. */
  compare(found: Uint8Array): void {
    this.#before = found.slice();
    for (const { offset, length } of this.touched.others) {
      const from = offset - this.offset;
      this.image.set(found.subarray(from, from + length), from);
    }
    this.differs = !isSame(found, this.image);
    this.needsErase = this.differs && this.#pages().some((at) => !isErased(this.#beforeAt(at)));
  }

  /** Forgets what was found: a fault may have changed it. What is kept is in `image`. */
  doubt(): void {
    this.#before = null;
    this.needsErase = true;
  }

  /** Returns the offsets in the sector of the pages to write: those that differ, or after an erase those that are not empty. */
  pagesToWrite(): number[] {
    return this.needsErase
      ? pageOffsets.filter((at) => !isFilledWith(this.image.subarray(at, at + pageSize), 0xff))
      : this.#pages();
  }

  #pages(): number[] {
    return pageOffsets.filter((at) => !isSame(this.image.subarray(at, at + pageSize), this.#beforeAt(at)));
  }

  #beforeAt(at: number): Uint8Array {
    return (this.#before ?? this.image).subarray(at, at + pageSize);
  }

  /** Range of the region's bytes that a report counts. */
  touches(range: FlashRange): boolean {
    return this.touched.pieces.some(
      (piece) => piece.offset < range.offset + range.length && range.offset < piece.offset + rangeOf(piece).length,
    );
  }
}

const pageOffsets = Array.from({ length: sectorSize / pageSize }, (_, index) => index * pageSize);
