/** Timers that end a shared bench: after its lifetime, without its host, and after its last guest has left. */
import { type Clock, scheduleAt } from '@wirebench/clock';
import { liveTimes } from './room-directory.ts';

export class RoomTimers {
  readonly #clock: Clock;
  readonly #onEnd: () => void;
  readonly #onHostMissing: () => void;
  #waitsUntil = 0;
  #hadGuests = false;
  /** Time of the clock's `now` at which the last guest left. Null while there are guests and before the first one. */
  #emptyFrom: number | null = null;
  #cancelWait: () => void = () => undefined;
  #cancelEmpty: () => void = () => undefined;
  #cancelExpiry: (() => void) | null = null;

  /**
   * @param onEnd Called when the room is over for everyone.
   * @param onHostMissing Called when the host has not returned in time.
   */
  constructor(clock: Clock, onEnd: () => void, onHostMissing: () => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
    this.#onHostMissing = onHostMissing;
  }

  /** Milliseconds since the Unix epoch. Null while there are guests and before the first one. */
  get emptySince(): number | null {
    return this.#emptyFrom === null ? null : this.#clock.wallTime() - (this.#clock.now() - this.#emptyFrom);
  }

  /** Remaining milliseconds for the host to return. */
  get wait(): number {
    return Math.max(0, this.#waitsUntil - this.#clock.now());
  }

  /** @param expiresAt Milliseconds since the Unix epoch. */
  expireAt(expiresAt: number): void {
    this.#cancelExpiry ??= scheduleAt(this.#clock, expiresAt, this.#onEnd);
  }

  /** @param wait Milliseconds. */
  waitForHost(wait: number): void {
    this.#waitsUntil = this.#clock.now() + wait;
    this.#cancelWait();
    this.#cancelWait = this.#clock.schedule(wait, this.#onHostMissing);
  }

  hostCame(): void {
    this.#cancelWait();
    this.#waitsUntil = 0;
  }

  /** Starts watching for the last guest. Only the host's process does this, because it knows all guests. */
  startWatching(emptySince: number | null): void {
    this.#emptyFrom = emptySince === null ? null : this.#clock.now() - Math.max(0, this.#clock.wallTime() - emptySince);
  }

  watchGuests(areThere: boolean): void {
    if (areThere) {
      this.#hadGuests = true;
      this.#emptyFrom = null;
      this.#cancelEmpty();
    } else if (this.#hadGuests || this.#emptyFrom !== null) {
      this.#hadGuests = false;
      this.#emptyFrom ??= this.#clock.now();
      this.#cancelEmpty();
      this.#cancelEmpty = this.#clock.schedule(this.#emptyFrom + liveTimes.empty - this.#clock.now(), this.#onEnd);
    }
  }

  stopWatching(): void {
    this.#cancelEmpty();
  }

  stop(): void {
    this.#cancelWait();
    this.#cancelEmpty();
    this.#cancelExpiry?.();
  }
}
