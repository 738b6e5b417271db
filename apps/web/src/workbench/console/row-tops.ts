/**
 * Positions of a page's rows, in px from the top of its first row. Positions outside the page are estimated with the
 * typical height.
 */
import type { RowHeights } from './row-heights.ts';

export class RowTops<Row> {
  readonly #rows: readonly Row[];
  readonly #typical: number;
  /** Top of each row, and the end of the last one. */
  readonly #tops: readonly number[];

  constructor(rows: readonly Row[], heights: RowHeights<Row>) {
    let top = 0;
    this.#rows = rows;
    this.#typical = heights.typical;
    this.#tops = [0, ...rows.map((row) => (top += heights.of(row)))];
  }

  /** Total height of the page's rows. */
  get height(): number {
    return this.#tops.at(-1) ?? 0;
  }

  /** Returns the top of a row, which is the end of the row before. 0 if the index is out of range. */
  of(index: number): number {
    return this.#tops[index] ?? 0;
  }

  /** Returns the index of the row at `pixels`. −1: above the page. Number of rows: below the page. */
  indexAt(pixels: number): number {
    const next = this.#tops.findIndex((top) => top > pixels);
    return (next < 0 ? this.#tops.length : next) - 1;
  }

  rowAt(pixels: number): Row | undefined {
    return this.#rows[this.indexAt(pixels)];
  }

  /** Returns the last row that ends at or above `pixels`. */
  wholeRowAbove(pixels: number): Row | undefined {
    const below = this.#tops.findIndex((top) => top > pixels);
    return this.#rows[(below < 0 ? this.#tops.length : below) - 2];
  }

  /** Converts px from the top to a fractional number of rows. */
  rowsAt(pixels: number): number {
    const index = this.indexAt(pixels);
    if (index < 0) {
      return pixels / this.#typical;
    }
    const beyond = pixels - this.of(index);
    const inside = index < this.#rows.length;
    return index + beyond / (inside ? this.of(index + 1) - this.of(index) : this.#typical);
  }

  /** Converts a fractional number of rows to px from the top. Inverse of `rowsAt`. */
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
