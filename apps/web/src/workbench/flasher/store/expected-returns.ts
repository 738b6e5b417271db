/**
 * Which boards may be about to come back: one on its own USB vanishes at each restart. The page may hear of that long after the
 * worker that talks to the board, so the worker's word for it is counted. Knows no ports and no store.
 */
import type { PortNumber } from '@wirebench/serial';
import type { FlashPhase } from '../state/flash-state.ts';

export class ExpectedReturns {
  readonly #restarting = new Set<PortNumber>();
  /** How many returns the worker has told of that the page has not seen; below zero where the page was quicker. */
  readonly #unseen = new Map<PortNumber, number>();

  /** The board at `port` is in `phase` from now on. */
  enter(port: PortNumber, phase: FlashPhase): void {
    if (phase === 'connecting') {
      this.#unseen.set(port, 0);
    }
    if (phase === 'connecting' || phase === 'restarting') {
      this.#restarting.add(port);
    } else {
      this.#restarting.delete(port);
    }
  }

  /** The worker has the board at `port` back. */
  told(port: PortNumber): void {
    this.#count(port, 1);
  }

  /** The page has seen that the board at `port` is back. */
  seen(port: PortNumber): void {
    this.#count(port, -1);
  }

  /** Whether a board that appears may be the one at `port`, if that is gone. */
  has(port: PortNumber): boolean {
    return this.#restarting.has(port) || (this.#unseen.get(port) ?? 0) > 0;
  }

  #count(port: PortNumber, by: number): void {
    this.#unseen.set(port, (this.#unseen.get(port) ?? 0) + by);
  }
}
