/**
 * Names of guests as they are shown: guests write them themselves, so they are made harmless, and no two look the same. A guest keeps
 * the name that it came with.
 */
import type { GuestName } from '@wirebench/remote';

/** Control characters, those that turn writing around, and what has no character: a name is one line that shows itself. */
const unseen = /\p{C}+/gu;

export class GuestNames {
  /** By the guest's id. */
  readonly #shown = new Map<string, string>();

  nameOf({ id, name }: GuestName): string {
    const known = this.#shown.get(id);
    if (known !== undefined) {
      return known;
    }
    const clean = name.replace(unseen, '').replace(/\s+/g, ' ').trim() || 'Guest';
    const taken = new Set(this.#shown.values());
    let shown = clean;
    for (let count = 2; taken.has(shown); count++) {
      shown = `${clean} (${count})`;
    }
    this.#shown.set(id, shown);
    return shown;
  }

  /** Names of guests that are gone are free again. */
  keep(present: readonly GuestName[]): void {
    const ids = new Set(present.map(({ id }) => id));
    for (const id of this.#shown.keys()) {
      if (!ids.has(id)) {
        this.#shown.delete(id);
      }
    }
  }
}
