/** Timers that can be cancelled together, for example when their owner loses power. */
import type { Clock } from '@wirebench/clock';

export class TimerGroup {
  readonly #clock: Clock;
  readonly #cancels = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `callback` after `delay` milliseconds. Returns a function that cancels this call alone. */
  after(delay: number, callback: () => void): () => void {
    const cancelTimer = this.#clock.schedule(delay, () => {
      this.#cancels.delete(cancel);
      callback();
    });
    const cancel = () => {
      this.#cancels.delete(cancel);
      cancelTimer();
    };
    this.#cancels.add(cancel);
    return cancel;
  }

  /** Calls `callback` at `time` of the clock, or at once if that time has passed. */
  at(time: number, callback: () => void): void {
    const delay = time - this.#clock.now();
    if (delay <= 0) {
      callback();
    } else {
      this.after(delay, callback);
    }
  }

  cancelAll(): void {
    for (const cancel of this.#cancels) {
      cancel();
    }
  }
}
