/** Sends the names of the guests that type key by key, to guests that have requested them. */
import type { Clock } from '@wirebench/clock';
import { nameWithin, typistLimit } from '../frames/messages.ts';
import { listPause } from './people-teller.ts';
import type { Visit } from './visit.ts';

/** A guest that types on a port. */
export interface TypingGuest {
  readonly port: number;
  /** ID of the guest. */
  readonly guest: string;
}

interface TypistTellerParts {
  readonly clock: Clock;
  readonly visits: () => ReadonlyMap<string, Visit>;
}

export class TypistTeller {
  readonly #parts: TypistTellerParts;
  #typing: readonly TypingGuest[] = [];
  #cancel: (() => void) | null = null;

  constructor(parts: TypistTellerParts) {
    this.#parts = parts;
  }

  /** Sets the guests that type now. Informs guests of a change after a pause. */
  set(typing: readonly TypingGuest[]): void {
    if (keyOf(typing) !== keyOf(this.#typing)) {
      this.#typing = typing;
      const { clock, visits } = this.#parts;
      this.#cancel ??= clock.schedule(listPause(visits().size), () => {
        this.#cancel = null;
        for (const visit of visits().values()) {
          this.tell(visit);
        }
      });
    }
  }

  tell(visit: Visit): void {
    if (visit.wantsTypists) {
      const typists = this.#typing.flatMap(({ port, guest }) => {
        const one = this.#parts.visits().get(guest);
        return one === undefined ? [] : [{ port, name: nameWithin(one.name), isYou: one === visit }];
      });
      visit.send({ kind: 'typists', typists: typists.slice(0, typistLimit) });
    }
  }

  stop(): void {
    this.#cancel?.();
  }
}

function keyOf(typing: readonly TypingGuest[]): string {
  return typing.map(({ port, guest }) => `${port} ${guest}`).join();
}
