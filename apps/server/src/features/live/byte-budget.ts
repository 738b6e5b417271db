/** How fast somebody may send: a bucket that fills at a rate and holds what it fills in a second. Knows neither sockets nor timers. */
export class ByteBudget {
  readonly #rate: number;
  #left: number;
  #at: number;

  /** @param rate bytes a second; @param now milliseconds */
  constructor(rate: number, now: number) {
    this.#rate = rate;
    this.#left = rate;
    this.#at = now;
  }

  /** Takes `bytes` at `now`, also more than there are. Returns the milliseconds until nothing is owed. */
  take(bytes: number, now: number): number {
    this.#left = Math.min(this.#rate, this.#left + ((now - this.#at) / 1_000) * this.#rate) - bytes;
    this.#at = now;
    return this.#left >= 0 ? 0 : (-this.#left / this.#rate) * 1_000;
  }
}
