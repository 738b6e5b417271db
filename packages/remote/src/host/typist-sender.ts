/** Sends the names of the guests that type key by key, to guests that have requested them. */
import type { Clock } from '@wirebench/clock';
import { nameWithin, typistLimit } from '../frames/messages.ts';
import { SpacedLists } from './spaced-lists.ts';
import type { Visit } from './visit.ts';

/** A guest that types on a port. */
export interface TypingGuest {
  readonly port: number;
  /** ID of the guest. */
  readonly guest: string;
}

interface TypistSenderParts {
  readonly clock: Clock;
  readonly visits: () => ReadonlyMap<string, Visit>;
}

export class TypistSender {
  readonly #parts: TypistSenderParts;
  readonly #lists: SpacedLists;
  #typing: readonly TypingGuest[] = [];

  constructor(parts: TypistSenderParts) {
    this.#parts = parts;
    const { clock, visits } = parts;
    this.#lists = new SpacedLists({ clock, guests: () => visits().size, sendAll: () => this.#sendAll() });
  }

  /** Sets the guests that type now. Informs guests of a change after a pause. */
  set(typing: readonly TypingGuest[]): void {
    if (keyOf(typing) !== keyOf(this.#typing)) {
      this.#typing = typing;
      this.#lists.schedule();
    }
  }

  send(visit: Visit): void {
    if (visit.wantsTypists) {
      const typists = this.#typing.flatMap(({ port, guest }) => {
        const one = this.#parts.visits().get(guest);
        return one === undefined ? [] : [{ port, name: nameWithin(one.name), isYou: one === visit }];
      });
      visit.send({ kind: 'typists', typists: typists.slice(0, typistLimit) });
    }
  }

  stop(): void {
    this.#lists.stop();
  }

  #sendAll(): void {
    for (const visit of this.#parts.visits().values()) {
      this.send(visit);
    }
  }
}

function keyOf(typing: readonly TypingGuest[]): string {
  return typing.map(({ port, guest }) => `${port} ${guest}`).join();
}
