/** Timers of something that can be switched off: all of them go at once. */
import type { Clock } from '@wirebench/clock';

export class TimerGroup {
  readonly #clock: Clock;
  readonly #cancels = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `callback` after `delay` milliseconds, unless it was cancelled by then. Returns what cancels it alone. */
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

  /** Calls `callback` at `time` of the clock; at once when that has come. */
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
