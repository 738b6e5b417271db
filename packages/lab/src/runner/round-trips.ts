/** How long answers take. */

const KEPT = 64;

export class RoundTrips {
  readonly #durations: number[] = [];

  add(duration: number): void {
    this.#durations.push(duration);
    if (this.#durations.length > KEPT) {
      this.#durations.shift();
    }
  }

  /** Milliseconds; 0 before the first. */
  get median(): number {
    return this.#durations.toSorted((a, b) => a - b)[this.#durations.length >>> 1] ?? 0;
  }
}
