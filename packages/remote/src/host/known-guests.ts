/**
 * Remembers the rights of guests that come back from another page or after leaving. A guest is recognised by its name
 * together with a key that only its browser has. Its rights are forgotten when sharing ends or the guest is expelled.
 */
import type { Right } from '../frames/messages.ts';

interface KnownGuest {
  readonly person: string | null;
  readonly name: string;
}

export class KnownGuests {
  readonly #most: number;
  /** Rights by key and name, then by port. The guest that changed last comes last. */
  readonly #rights = new Map<string, ReadonlyMap<number, Right>>();

  /** @param most Number of guests to remember. The oldest is dropped first. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Returns the guest's rights by port; empty for an unknown guest, or one that has not sent its browser's key. */
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
