/** Answer times of the latest requests, for their median. */

const KEPT = 64;

export class RoundTrips {
  readonly #durations: number[] = [];

  add(duration: number): void {
    this.#durations.push(duration);
    if (this.#durations.length > KEPT) {
      this.#durations.shift();
    }
  }

  /** Median in milliseconds; 0 before the first answer. */
  get median(): number {
    return this.#durations.toSorted((a, b) => a - b)[this.#durations.length >>> 1] ?? 0;
  }
}
