/** Decides when sharing ends by itself: after its duration, or after a time without guests. */
import type { Clock } from '@wirebench/clock';
import type { Limits } from '../limits.ts';

export interface SharingEndOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  /** Called at most once. */
  readonly over: (why: 'expired' | 'empty') => void;
}

export class SharingEnd {
  readonly #options: SharingEndOptions;
  readonly #began: number;
  #at = 0;
  #cancelHour: (() => void) | null = null;
  #cancelEmpty: (() => void) | null = null;

  /** @param lasts Milliseconds from now, at most `limits.room`. */
  constructor(options: SharingEndOptions, lasts: number) {
    this.#options = options;
    this.#began = options.clock.wallTime();
    this.after(lasts);
  }

  /** End of sharing, in milliseconds since the Unix epoch. */
  get at(): number {
    return this.#at;
  }

  /** Milliseconds until the end, never below zero. */
  get left(): number {
    return Math.max(0, Math.round(this.#at - this.#options.clock.wallTime()));
  }

  /**
   * Sets the end.
   *
   * @param lasts Milliseconds since sharing began, at most `limits.room`.
   */
  after(lasts: number): void {
    const { clock, limits } = this.#options;
    this.#at = this.#began + Math.min(lasts, limits.room);
    this.#cancelHour?.();
    this.#cancelHour = clock.schedule(this.left, () => this.#over('expired'));
  }

  /**
   * Call this whenever the number of guests may have changed. Without guests, the wait for the next one starts again.
   */
  guestsChanged(guests: number): void {
    const { clock, limits } = this.#options;
    this.#cancelEmpty?.();
    this.#cancelEmpty = guests === 0 ? clock.schedule(limits.empty, () => this.#over('empty')) : null;
  }

  /** Cancels all timers. */
  stop(): void {
    this.#cancelHour?.();
    this.#cancelEmpty?.();
  }

  #over(why: 'expired' | 'empty'): void {
    this.stop();
    this.#options.over(why);
  }
}
