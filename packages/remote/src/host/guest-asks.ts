/**
 * The rights that one guest asks for, one for each port. The guest hears at once that it has asked. The person who shares is not bothered by one
 * that asks again and again: a request only rises, and after a refusal the next one is shown after a while.
 */
import type { Clock } from '@wirebench/clock';
import { type Right, rights } from '../frames/messages.ts';
import type { Limits } from '../limits.ts';

interface GuestAsksOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  /** A request that was kept back is shown from now on. */
  readonly changed: () => void;
}

export class GuestAsks {
  readonly #options: GuestAsksOptions;
  readonly #asked = new Map<number, Right>();
  /** Ends the time after a refusal, by port. */
  readonly #quiet = new Map<number, () => void>();

  constructor(options: GuestAsksOptions) {
    this.#options = options;
  }

  /** False when nothing has changed by it. */
  ask(port: number, right: Right): boolean {
    const before = this.#asked.get(port);
    if (before !== undefined && rights.indexOf(right) <= rights.indexOf(before)) {
      return false;
    }
    this.#asked.set(port, right);
    return true;
  }

  /** What it has asked for and was neither given nor refused. */
  of(port: number): Right | null {
    return this.#asked.get(port) ?? null;
  }

  /** The same, as far as the person who shares is to see it now. */
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

  /** It has another right now. */
  settle(port: number): void {
    this.#asked.delete(port);
  }

  /** No timer is left. */
  stop(): void {
    for (const cancel of this.#quiet.values()) {
      cancel();
    }
    this.#quiet.clear();
  }
}
