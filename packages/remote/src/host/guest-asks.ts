/**
 * The rights that one guest requests, one per port. The guest sees its request at once. Repeated requests must not
 * disturb the host. A request can therefore only rise, and after a refusal the next one is shown only after a pause.
 */
import type { Clock } from '@wirebench/clock';
import { type Right, rights } from '../frames/messages.ts';
import type { Limits } from '../limits.ts';

interface GuestAsksOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  /** Called when a delayed request becomes visible. */
  readonly changed: () => void;
}

export class GuestAsks {
  readonly #options: GuestAsksOptions;
  readonly #asked = new Map<number, Right>();
  /** Cancels the pause after a refusal, by port. */
  readonly #quiet = new Map<number, () => void>();

  constructor(options: GuestAsksOptions) {
    this.#options = options;
  }

  /** Records a request. Returns false if a request for the same or a higher right is already pending. */
  ask(port: number, right: Right): boolean {
    const before = this.#asked.get(port);
    if (before !== undefined && rights.indexOf(right) <= rights.indexOf(before)) {
      return false;
    }
    this.#asked.set(port, right);
    return true;
  }

  /** Returns the pending request; null without one. */
  of(port: number): Right | null {
    return this.#asked.get(port) ?? null;
  }

  /** Returns the pending request if the host may see it now, else null. */
  shown(port: number): Right | null {
    return this.#quiet.has(port) ? null : this.of(port);
  }

  refuse(port: number): void {
    const { clock, limits, changed } = this.#options;
    this.#asked.delete(port);
    this.#quiet.get(port)?.();
    const end = () => {
      this.#quiet.delete(port);
      if (this.#asked.has(port)) {
        changed();
      }
    };
    this.#quiet.set(port, clock.schedule(limits.askAgain, end));
  }

  /** Clears the request: the guest's right has changed, or the guest has opened the port. */
  settle(port: number): void {
    this.#asked.delete(port);
  }

  /** Cancels all timers. */
  stop(): void {
    for (const cancel of this.#quiet.values()) {
      cancel();
    }
    this.#quiet.clear();
  }
}
