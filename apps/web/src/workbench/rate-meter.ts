/** Counters → rates: the average over about the last second, and the highest since the counter last started over. */

/** Time that a rate is averaged over, in milliseconds. */
const rateSpan = 1_000;

export interface Rate {
  /** Per second. */
  readonly now: number;
  readonly peak: number;
}

export const noRate: Rate = { now: 0, peak: 0 };

export class RateMeter {
  #samples: { readonly at: number; readonly count: number }[] = [];
  #rate = noRate;

  get rate(): Rate {
    return this.#rate;
  }

  /** @param at milliseconds, never going back. */
  sample(count: number, at: number): Rate {
    const last = this.#samples.at(-1);
    if (last !== undefined && count < last.count) {
      this.#samples = [];
      this.#rate = noRate;
    }
    this.#samples.push({ at, count });
    while (this.#samples.length > 2 && (this.#samples[1]?.at ?? at) <= at - rateSpan) {
      this.#samples.shift();
    }
    this.#measure();
    return this.#rate;
  }

  #measure(): void {
    const first = this.#samples[0];
    const last = this.#samples.at(-1);
    if (first === undefined || last === undefined || last.at <= first.at) {
      return;
    }
    // A burst shorter than the span is not blown up to a rate that never was.
    const now = ((last.count - first.count) * 1_000) / Math.max(rateSpan, last.at - first.at);
    const peak = Math.max(this.#rate.peak, now);
    if (now !== this.#rate.now || peak !== this.#rate.peak) {
      this.#rate = { now, peak };
    }
  }
}
