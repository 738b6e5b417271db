/** When a shared bench ends by itself: after its time, without its host, after its last guest. Knows no connections. */
import type { Clock } from '@wirebench/clock';
import { liveTimes } from './room-directory.ts';

export class RoomTimers {
  readonly #clock: Clock;
  readonly #onEnd: () => void;
  readonly #onHostMissing: () => void;
  #waitsUntil = 0;
  #hadGuests = false;
  #emptySince: number | null = null;
  #cancelWait: () => void = () => undefined;
  #cancelEmpty: () => void = () => undefined;
  #cancelExpiry: (() => void) | null = null;

  /**
   * @param onEnd the room is over for everybody
   * @param onHostMissing its host has not come back
   */
  constructor(clock: Clock, onEnd: () => void, onHostMissing: () => void) {
    this.#clock = clock;
    this.#onEnd = onEnd;
    this.#onHostMissing = onHostMissing;
  }

  /** Milliseconds since the Unix epoch; null while there are guests and before there were any. */
  get emptySince(): number | null {
    return this.#emptySince;
  }

  /** Milliseconds for which the host is still waited for. */
  get wait(): number {
    return Math.max(0, this.#waitsUntil - this.#clock.now());
  }

  /** @param expiresAt milliseconds since the Unix epoch */
  expireAt(expiresAt: number): void {
    this.#cancelExpiry ??= this.#clock.schedule(expiresAt - this.#clock.now(), this.#onEnd);
  }

  /** @param wait milliseconds */
  waitForHost(wait: number): void {
    this.#waitsUntil = this.#clock.now() + wait;
    this.#cancelWait();
    this.#cancelWait = this.#clock.schedule(wait, this.#onHostMissing);
  }

  hostCame(): void {
    this.#cancelWait();
    this.#waitsUntil = 0;
  }

  /** The host's part knows all guests: this is for it. */
  startWatching(emptySince: number | null): void {
    this.#emptySince = emptySince;
  }

  watchGuests(areThere: boolean): void {
    if (areThere) {
      this.#hadGuests = true;
      this.#emptySince = null;
      this.#cancelEmpty();
    } else if (this.#hadGuests || this.#emptySince !== null) {
      this.#hadGuests = false;
      this.#emptySince ??= this.#clock.now();
      this.#cancelEmpty();
      this.#cancelEmpty = this.#clock.schedule(this.#emptySince + liveTimes.empty - this.#clock.now(), this.#onEnd);
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
