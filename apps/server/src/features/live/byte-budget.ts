/** Limits the rate of a sender: a token bucket with the capacity of one second. */
export class ByteBudget {
  readonly #rate: number;
  #left: number;
  #at: number;

  /**
   * @param rate Bytes per second.
   * @param now Milliseconds.
   */
  constructor(rate: number, now: number) {
    this.#rate = rate;
    this.#left = rate;
    this.#at = now;
  }

  /** Takes `bytes` at `now`, even more than are left. Returns the milliseconds until the debt is paid. */
  take(bytes: number, now: number): number {
    this.#left = Math.min(this.#rate, this.#left + ((now - this.#at) / 1_000) * this.#rate) - bytes;
    this.#at = now;
    return this.#left >= 0 ? 0 : (-this.#left / this.#rate) * 1_000;
  }
}
