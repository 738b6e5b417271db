/**
 * The rights of guests that come again, from another page or after they have left: known by a key that only their browser has, together with
 * the name. Forgotten with the sharing, and when a guest is expelled.
 */
import type { Right } from '../frames/messages.ts';

interface KnownGuest {
  readonly person: string | null;
  readonly name: string;
}

export class KnownGuests {
  readonly #most: number;
  /** By key and name, then by port. The one that changed last is the last. */
  readonly #rights = new Map<string, ReadonlyMap<number, Right>>();

  /** @param most guests that are remembered */
  constructor(most: number) {
    this.#most = most;
  }

  /** The rights by port; empty for a guest that was not here or has not said who it is. */
  rightsOf(guest: KnownGuest): ReadonlyMap<number, Right> {
    return this.#rights.get(keyOf(guest) ?? '') ?? new Map();
  }

  remember(guest: KnownGuest, rights: ReadonlyMap<number, Right>): void {
    const key = keyOf(guest);
    if (key !== null) {
      this.#rights.delete(key);
      this.#rights.set(key, new Map(rights));
      const [oldest] = this.#rights.keys();
      if (this.#rights.size > this.#most && oldest !== undefined) {
        this.#rights.delete(oldest);
      }
    }
  }

  forget(guest: KnownGuest): void {
    this.#rights.delete(keyOf(guest) ?? '');
  }
}

const keyOf = ({ person, name }: KnownGuest) => (person === null ? null : `${person} ${name}`);
