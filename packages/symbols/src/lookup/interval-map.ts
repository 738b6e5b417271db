/** Non-overlapping ranges of addresses with a number each, in typed arrays. */
import { lastAtMost } from './search.ts';

export class IntervalMap {
  readonly #lows: Float64Array;
  readonly #highs: Float64Array;
  readonly #values: Uint32Array;

  /** Ranges from `lows[i]` up to, and without, `highs[i]`, ascending within what is searched together. */
  constructor(lows: ArrayLike<number>, highs: ArrayLike<number>, values: ArrayLike<number>) {
    this.#lows = Float64Array.from(lows);
    this.#highs = Float64Array.from(highs);
    this.#values = Uint32Array.from(values);
  }

  get length(): number {
    return this.#lows.length;
  }

  /** The number of the range that holds `address`, among those from index `from` up to, and without, `to`. */
  find(address: number, from = 0, to = this.#lows.length): number | undefined {
    const index = lastAtMost(this.#lows, address, from, to);
    return index >= from && address < (this.#highs[index] ?? 0) ? this.#values[index] : undefined;
  }
}
