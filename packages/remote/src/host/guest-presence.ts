/**
 * Since when the host has not heard of a guest. A connection that ends is noticed at once; one that is cut without a word by the guest's
 * silence, long before the relay gives it up. Changes nothing about the visit: it is for the person who shares.
 */
import type { Clock } from '@wirebench/clock';
import type { Limits } from '../limits.ts';

interface GuestPresenceOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  /** `awaySince` is another one. */
  readonly changed: () => void;
}

export class GuestPresence {
  readonly #options: GuestPresenceOptions;
  #heardAt = 0;
  /** Set from the first moment on, and told after a while. */
  #since: number | null = null;
  #isTold = false;
  #cancel: (() => void) | null = null;

  constructor(options: GuestPresenceOptions) {
    this.#options = options;
  }

  /** Milliseconds since the Unix epoch; null while it is there. */
  get awaySince(): number | null {
    return this.#isTold ? this.#since : null;
  }

  /** The guest has said something. */
  heard(): void {
    this.#heardAt = this.#options.clock.now();
    if (this.#since !== null) {
      this.stop();
      this.#since = null;
      this.#tell(false);
    }
    if (this.#cancel === null) {
      this.#listen();
    }
  }

  /** Its connection has ended. */
  lost(): void {
    this.#since ??= this.#options.clock.now();
    if (!this.#isTold) {
      this.#tellLater();
    }
  }

  /** The host's own connection has ended: of its guests there is nothing to say. */
  hostAway(): void {
    this.stop();
    this.#tell(false);
  }

  /** A guest that was connected before has a moment to come back after the host. */
  hostBack(): void {
    if (this.#since !== null) {
      this.#tellLater();
    }
  }

  /** No timer is left. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #tellLater(): void {
    const { clock, limits } = this.#options;
    this.stop();
    this.#cancel = clock.schedule(limits.missed, () => this.#tell(true));
  }

  #listen(): void {
    const { clock, limits } = this.#options;
    const heardAt = this.#heardAt;
    this.#cancel = clock.schedule(heardAt + limits.silence - clock.now(), () => {
      // Not by the time, which may be a rounding short of the limit: the next wait would then be of no length, again and again.
      if (this.#heardAt > heardAt) {
        this.#listen();
      } else {
        this.#since = heardAt;
        this.#tell(true);
      }
    });
  }

  #tell(isAway: boolean): void {
    if (this.#isTold !== isAway) {
      this.#isTold = isAway;
      this.#options.changed();
    }
  }
}
