/** How often something may be tried within a time, by any key. Counts in this process. */
import type { Clock } from '@wirebench/clock';

export interface AttemptLimitOptions {
  readonly most: number;
  /** Milliseconds from the first attempt until all are forgotten. */
  readonly window: number;
}

interface Entry {
  count: number;
  readonly until: number;
}

/** Keys; those whose time began first go first. */
const MOST_KEYS = 10_000;

export class AttemptLimit {
  readonly #entries = new Map<string, Entry>();
  readonly #options: AttemptLimitOptions;
  readonly #clock: Clock;

  constructor(options: AttemptLimitOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  /** Counts an attempt before it is made, so that many at once are no way around. Seconds to wait; 0 when it may be made. */
  take(key: string): number {
    const now = this.#clock.now();
    const known = this.#entries.get(key);
    if (known === undefined || known.until <= now) {
      this.#entries.delete(key);
      this.#entries.set(key, { count: 1, until: now + this.#options.window });
      this.#forgetOldest();
      return 0;
    }
    if (known.count >= this.#options.most) {
      return Math.ceil((known.until - now) / 1_000);
    }
    known.count++;
    return 0;
  }

  /** The attempt was none to be counted after all. */
  giveBack(key: string): void {
    const known = this.#entries.get(key);
    if (known !== undefined && known.count > 0) {
      known.count--;
    }
  }

  #forgetOldest(): void {
    if (this.#entries.size > MOST_KEYS) {
      const [oldest = ''] = this.#entries.keys();
      this.#entries.delete(oldest);
    }
  }
}
