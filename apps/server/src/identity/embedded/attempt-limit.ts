/** Limits attempts per key and time. Counts in this process only. */
import type { Clock } from '@wirebench/clock';

export interface AttemptLimitOptions {
  readonly most: number;
  /** Milliseconds from the first attempt until the count restarts. */
  readonly window: number;
}

interface Entry {
  count: number;
  readonly until: number;
}

/** Maximum number of keys. The oldest entry is removed first. */
const MAX_KEYS = 10_000;

export class AttemptLimit {
  readonly #entries = new Map<string, Entry>();
  readonly #options: AttemptLimitOptions;
  readonly #clock: Clock;

  constructor(options: AttemptLimitOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  /**
   * Counts an attempt before it is made, so that simultaneous attempts cannot bypass the limit. Returns the seconds
   * to wait; 0 if the attempt is allowed.
   */
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

  /** Uncounts one attempt. */
  giveBack(key: string): void {
    const known = this.#entries.get(key);
    if (known !== undefined && known.count > 0) {
      known.count--;
    }
  }

  #forgetOldest(): void {
    if (this.#entries.size > MAX_KEYS) {
      const [oldest = ''] = this.#entries.keys();
      this.#entries.delete(oldest);
    }
  }
}
