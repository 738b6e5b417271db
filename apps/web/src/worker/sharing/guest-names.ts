/**
 * Display names of guests. Guests write their names themselves, so they are sanitised and made unique, even among
 * look-alikes. A guest keeps its name during the visit.
 */
import { type GuestName, shownName } from '@wirebench/remote';

/**
 * Latin letters, by letters and digits that look like them in at least one case. From Unicode Technical Standard 39,
 * confusables.txt, limited to characters that keyboards have.
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

/** Names with the same key look the same: different case, width or spaces, or letters of another script. */
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
    // Pages of one browser count as one guest.
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

  /** Frees the names of guests who have left. */
  keep(present: readonly GuestName[]): void {
    const ids = new Set(present.map(({ id }) => id));
    for (const id of this.#shown.keys()) {
      if (!ids.has(id)) {
        this.#shown.delete(id);
      }
    }
  }
}
