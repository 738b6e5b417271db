/** Maps non-overlapping ranges of addresses to numbers, stored in typed arrays. */
import { lastAtMost } from './search.ts';

export class IntervalMap {
  readonly #lows: Float64Array;
  readonly #highs: Float64Array;
  readonly #values: Uint32Array;

  /**
   * Range `i` includes `lows[i]` and excludes `highs[i]`. Ranges are ascending within each part that is searched
   * together.
   */
  constructor(lows: ArrayLike<number>, highs: ArrayLike<number>, values: ArrayLike<number>) {
    this.#lows = Float64Array.from(lows);
    this.#highs = Float64Array.from(highs);
    this.#values = Uint32Array.from(values);
  }

  get length(): number {
    return this.#lows.length;
  }

  /**
   * Returns the number of the range that holds `address`; undefined if no range holds it. Searches the ranges from
   * index `from` (included) to `to` (excluded).
   */
  find(address: number, from = 0, to = this.#lows.length): number | undefined {
    const index = lastAtMost(this.#lows, address, from, to);
    return index >= from && address < (this.#highs[index] ?? 0) ? this.#values[index] : undefined;
  }
}
