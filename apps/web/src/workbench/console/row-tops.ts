/** Where the rows of a page stand, in px from the top of its first row. Guesses by the typical height outside of the page. */
import type { RowHeights } from './row-heights.ts';

export class RowTops<Row> {
  readonly #rows: readonly Row[];
  readonly #typical: number;
  /** Of each row, and the end of the last one. */
  readonly #tops: readonly number[];

  constructor(rows: readonly Row[], heights: RowHeights<Row>) {
    let top = 0;
    this.#rows = rows;
    this.#typical = heights.typical;
    this.#tops = [0, ...rows.map((row) => (top += heights.of(row)))];
  }

  /** Height of all rows of the page. */
  get height(): number {
    return this.#tops.at(-1) ?? 0;
  }

  /** Where the row with this index begins, and the one before it ends; 0 where there is none. */
  of(index: number): number {
    return this.#tops[index] ?? 0;
  }

  /** Index of the row that stands at `pixels`; −1 above the page, the number of rows below it. */
  indexAt(pixels: number): number {
    const next = this.#tops.findIndex((top) => top > pixels);
    return (next < 0 ? this.#tops.length : next) - 1;
  }

  rowAt(pixels: number): Row | undefined {
    return this.#rows[this.indexAt(pixels)];
  }

  /** The last row that ends at `pixels` or above. */
  wholeRowAbove(pixels: number): Row | undefined {
    const below = this.#tops.findIndex((top) => top > pixels);
    return this.#rows[(below < 0 ? this.#tops.length : below) - 2];
  }

  /** Rows from the first one down to `pixels`, with the part of the one that is there. */
  rowsAt(pixels: number): number {
    const index = this.indexAt(pixels);
    if (index < 0) {
      return pixels / this.#typical;
    }
    const beyond = pixels - this.of(index);
    const inside = index < this.#rows.length;
    return index + beyond / (inside ? this.of(index + 1) - this.of(index) : this.#typical);
  }

  /** The other way round: px from the first row down to so many rows. */
  pixelsAt(rows: number): number {
    const index = Math.floor(rows);
    if (index < 0) {
      return rows * this.#typical;
    }
    const inside = index < this.#rows.length;
    return inside
      ? this.of(index) + (rows - index) * (this.of(index + 1) - this.of(index))
      : this.height + (rows - this.#rows.length) * this.#typical;
  }
}
