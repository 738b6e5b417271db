/** Delays arrivals and keeps their order: a later arrival waits for the earlier ones. */
import type { Clock } from '@wirebench/clock';
import type { Random } from '../random.ts';

export class Delay {
  readonly #clock: Clock;
  readonly #least: number;
  readonly #most: number;
  readonly #random: Random;
  readonly #waiting: { readonly due: number; readonly arrive: () => void }[] = [];
  #cancelTimer: (() => void) | null = null;

  /** @param delay Milliseconds, or a range from which each arrival gets a random value. Default: no delay. */
  constructor(clock: Clock, delay: number | readonly [number, number] | undefined, random: Random) {
    this.#clock = clock;
    [this.#least, this.#most] = typeof delay === 'number' ? [delay, delay] : (delay ?? [0, 0]);
    this.#random = random;
  }

  run(arrive: () => void): void {
    if (this.#most === 0) {
      arrive();
      return;
    }
    const due = this.#clock.now() + this.#least + this.#random.next() * (this.#most - this.#least);
    this.#waiting.push({ due, arrive });
    this.#schedule();
  }

  clear(): void {
    this.#waiting.length = 0;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #schedule(): void {
    const next = this.#waiting[0];
    if (next === undefined || this.#cancelTimer !== null) {
      return;
    }
    this.#cancelTimer = this.#clock.schedule(next.due - this.#clock.now(), () => {
      this.#cancelTimer = null;
      this.#waiting.shift()?.arrive();
      this.#schedule();
    });
  }
}
