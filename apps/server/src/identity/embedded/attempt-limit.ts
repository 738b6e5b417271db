/** Limits attempts per key and time. Counts in this process only. */
import type { Clock } from '@wirebench/clock';
import { BoundedMap } from '../../bounded-map.ts';

export interface AttemptLimitOptions {
  readonly most: number;
  /** Milliseconds from the first attempt until the count restarts. */
  readonly window: number;
}

interface Entry {
  count: number;
  readonly until: number;
}

/**
 * Maximum number of keys. Beyond it, the count that began first is removed: it is the one that would restart first.
 */
const MAX_KEYS = 10_000;

export class AttemptLimit {
  readonly #entries: BoundedMap<string, Entry>;
  readonly #options: AttemptLimitOptions;
  readonly #clock: Clock;

  constructor(options: AttemptLimitOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
    this.#entries = new BoundedMap({ capacity: MAX_KEYS, clock });
  }

  /**
   * Counts an attempt before it is made, so that simultaneous attempts cannot bypass the limit. Returns the seconds
   * to wait; 0 if the attempt is allowed.
   */
  take(key: string): number {
    const now = this.#clock.now();
    const known = this.#entries.peek(key);
    if (known === undefined) {
      const until = now + this.#options.window;
      this.#entries.set(key, { count: 1, until }, until);
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
    const known = this.#entries.peek(key);
    if (known !== undefined && known.count > 0) {
      known.count--;
    }
  }
}
