/**
 * Spaces the lists that the host sends to its guests. Each guest gets a message of its own, so a class that opens a
 * link together must not cost the square of its size.
 */
import type { Clock } from '@wirebench/clock';

/** Shortest time between two lists in milliseconds, and the time that each guest adds to it. */
const pause = 100;
const pausePerGuest = 10;

interface SpacedListsParts {
  readonly clock: Clock;
  /** Number of guests. */
  readonly guests: () => number;
  /** Sends the current list to each guest. */
  readonly sendAll: () => void;
}

export class SpacedLists {
  readonly #parts: SpacedListsParts;
  #cancel: (() => void) | null = null;

  constructor(parts: SpacedListsParts) {
    this.#parts = parts;
  }

  /** Sends the list after the pause. Does nothing if a list is already scheduled. */
  schedule(): void {
    const { clock, guests, sendAll } = this.#parts;
    this.#cancel ??= clock.schedule(pause + pausePerGuest * guests(), () => {
      this.#cancel = null;
      sendAll();
    });
  }

  stop(): void {
    this.#cancel?.();
  }
}
