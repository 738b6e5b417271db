/**
 * Names of guests as they are shown: guests write them themselves, so they are made harmless, and no two look the same. A guest keeps
 * the name that it came with.
 */
import { type GuestName, shownName } from '@wirebench/remote';

/**
 * Letters and digits that look like a Latin letter, in one of their cases at least, and the letter: after Unicode Technical Standard 39,
 * confusables.txt, as far as a keyboard has them.
 */
const lookAlikes = new Map(
  Object.entries({
    a: 'аαɑ',
    b: 'вβ',
    c: 'сϲ',
    d: 'ԁ',
    e: 'еε',
    g: 'ɡ',
    h: 'нһηհ',
    i: 'іιıl1|ӏ',
    j: 'јϳ',
    k: 'кκ',
    m: 'мμ',
    n: 'ո',
    o: 'оο0օ',
    p: 'рρ',
    q: 'ԛ',
    s: 'ѕ',
    t: 'тτ',
    u: 'ս',
    v: 'ν',
    w: 'ԝ',
    x: 'хχ',
    y: 'уυ',
    z: 'ζ',
  }).flatMap(([letter, others]) => [...others].map((other) => [other, letter] as const)),
);

/** Names with the same key look the same: another case, another width, other spaces, letters of another script. */
const keyOf = (name: string) =>
  [...name.normalize('NFKC').replace(/\s+/g, '').toLowerCase()]
    .map((letter) => lookAlikes.get(letter) ?? letter)
    .join('');

export class GuestNames {
  /** By the guest's id. */
  readonly #shown = new Map<string, { readonly name: string; readonly person: string | null }>();

  nameOf({ id, name, person = null }: GuestName): string {
    const known = this.#shown.get(id);
    if (known !== undefined && known.person === person) {
      return known.name;
    }
    const clean = shownName(name, 'Guest');
    // Pages of one browser are one guest.
    const others = [...this.#shown].filter(
      ([other, shown]) => other !== id && (person === null || shown.person !== person),
    );
    const taken = new Set(others.map(([, shown]) => keyOf(shown.name)));
    let shown = clean;
    for (let count = 2; taken.has(keyOf(shown)); count++) {
      shown = `${clean} (${count})`;
    }
    this.#shown.set(id, { name: shown, person });
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
