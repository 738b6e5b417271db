/**
 * Tracks since when the host has not heard from a guest. A closed connection is noticed at once. A connection that
 * fails silently is noticed by the guest's silence, long before the relay drops it. Only the host's page uses this;
 * the visit does not change.
 */
import type { Clock } from '@wirebench/clock';
import type { Limits } from '../limits.ts';

interface GuestPresenceOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  /** Called when `awaySince` has changed. */
  readonly changed: () => void;
}

export class GuestPresence {
  readonly #options: GuestPresenceOptions;
  #heardAt = 0;
  /** Time of the loss. It is set at once but reported only after a delay. */
  #since: number | null = null;
  #isTold = false;
  #cancel: (() => void) | null = null;

  constructor(options: GuestPresenceOptions) {
    this.#options = options;
  }

  /** Milliseconds since the Unix epoch; null while the guest is present. */
  get awaySince(): number | null {
    return this.#isTold ? this.#since : null;
  }

  /** Records a sign of life of the guest. */
  heard(): void {
    this.#heardAt = this.#options.clock.now();
    if (this.#since !== null) {
      this.stop();
      this.#since = null;
      this.#report(false);
    }
    if (this.#cancel === null) {
      this.#listen();
    }
  }

  /** Records that the guest's connection has ended. */
  lost(): void {
    this.#since ??= this.#options.clock.wallTime();
    if (!this.#isTold) {
      this.#tellLater();
    }
  }

  /** Reports no absence while the host's own connection is lost, because the guests' state is unknown then. */
  hostAway(): void {
    this.stop();
    this.#report(false);
  }

  /** Gives a guest that was connected before a moment to come back after the host. */
  hostBack(): void {
    if (this.#since !== null) {
      this.#tellLater();
    }
  }

  /** Cancels all timers. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #tellLater(): void {
    const { clock, limits } = this.#options;
    this.stop();
    this.#cancel = clock.schedule(limits.missed, () => this.#report(true));
  }

  #listen(): void {
    const { clock, limits } = this.#options;
    const heardAt = this.#heardAt;
    this.#cancel = clock.schedule(heardAt + limits.silence - clock.now(), () => {
      // Compares the stamps, not the current time. If the timer fires early by a rounding error, the next wait would
      // have length zero and repeat endlessly.
      if (this.#heardAt > heardAt) {
        this.#listen();
      } else {
        this.#since = clock.wallTime() - (clock.now() - heardAt);
        this.#report(true);
      }
    });
  }

  #report(isAway: boolean): void {
    if (this.#isTold !== isAway) {
      this.#isTold = isAway;
      this.#options.changed();
    }
  }
}
