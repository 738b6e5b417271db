import { type Clock, sleepOn } from './clock.ts';

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly callback: () => void;
}

/** Turns of the microtask queue between two timers. Enough for a chain of streams to pass a chunk from end to end. */
const SETTLE_TURNS = 64;
/** Timers that may fire at one instant. More are a callback that schedules itself without a delay, which never ends. */
const MAX_TIMERS_AT_ONCE = 10_000;

/**
 * A clock whose time changes only when a test advances it. Timers fire in order of their due time, ties in order of
 * creation.
 */
export class VirtualClock implements Clock {
  #now: number;
  /** Sum of all changes of the date by `setDate`. */
  #corrections = 0;
  #created = 0;
  readonly #timers = new Set<Timer>();

  /** @param start Initial time in milliseconds since the Unix epoch. */
  constructor(start = 0) {
    this.#now = start;
  }

  /** Number of timers that have neither fired nor been cancelled. */
  get pending(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#now;
  }

  wallTime(): number {
    return this.#now + this.#corrections;
  }

  /** Sets the date forwards, or backwards for a negative `by`, without any time for waits passing. */
  setDate(by: number): void {
    this.#corrections += by;
  }

  schedule(delay: number, callback: () => void): () => void {
    const timer: Timer = { due: this.#now + Math.max(0, delay), order: this.#created++, callback };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  sleep(delay: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, delay, signal);
  }

  /**
   * Advances time by `duration` milliseconds. Fires due timers in order and lets promises settle after each.
   *
   * @throws Error if timers keep firing without progress in time.
   */
  async advance(duration: number): Promise<void> {
    const end = this.#now + duration;
    let firedNow = 0;
    await this.settle();
    for (let timer = this.#next(end); timer !== undefined; timer = this.#next(end)) {
      firedNow = timer.due > this.#now ? 1 : firedNow + 1;
      if (firedNow > MAX_TIMERS_AT_ONCE) {
        throw new Error(
          `The virtual clock is stuck at ${this.#now} ms: ${MAX_TIMERS_AT_ONCE} timers have fired without progress in time. ` +
            'A callback schedules itself again with a delay that is zero or too small to change the time.',
        );
      }
      this.#timers.delete(timer);
      this.#now = timer.due;
      timer.callback();
      await this.settle();
    }
    this.#now = end;
  }

  /** Runs every promise callback that is ready, without advancing time. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < SETTLE_TURNS; turn++) {
      await Promise.resolve();
    }
  }

  #next(end: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      const earlier =
        first === undefined || timer.due < first.due || (timer.due === first.due && timer.order < first.order);
      if (timer.due <= end && earlier) {
        first = timer;
      }
    }
    return first;
  }
}
