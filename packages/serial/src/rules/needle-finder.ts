/** Finds many byte patterns in one pass (A. Aho, M. Corasick, "Efficient String Matching", 1975). */
import type { BytePattern } from '../byte-pattern.ts';

type Needle = Pick<BytePattern, 'parts'>;

/** A place between two bytes of a needle. */
interface Place {
  /** The places behind each byte that may follow. */
  readonly next: Map<number, number[]>;
  /** The place behind each byte that begins a longer spelling. Needles share it. */
  readonly inside: Map<number, number>;
  /** The needle that ends here. */
  end: number | null;
}

const ROOT = 0;
/** Most places of all states together. Fifty rules about 256 Cyrillic letters each have half as many. */
const MAX_PLACES = 300_000;

/**
 * One look-up in a table for each byte, whatever the number of needles. A state is the set of places that the last bytes
 * have reached, because a part of a needle may have several spellings.
 */
export class NeedleFinder {
  /** Class of each byte. Bytes that lead from everywhere to the same places share one; bytes in no needle have class 0. */
  readonly #classes: Uint8Array;
  readonly #width: number;
  /** The next state for each state and class. States with ends of needles are stored as their complement. */
  readonly #table: Int32Array;
  /** For each state, the needles that end there. */
  readonly #ends: readonly (readonly number[])[];

  private constructor(classes: Uint8Array, width: number, rows: readonly Int32Array[], ends: readonly number[][]) {
    this.#classes = classes;
    this.#width = width;
    this.#ends = ends;
    this.#table = new Int32Array(rows.length * width);
    for (const [index, row] of rows.entries()) {
      const states = row.map((state) => ((ends[state] as number[]).length > 0 ? ~(state * width) : state * width));
      this.#table.set(states, index * width);
    }
  }

  /**
   * Returns a finder; null if it would be too large. Long needles that repeat the same letters can take the square of their
   * length.
   */
  static of(needles: readonly Needle[]): NeedleFinder | null {
    const places = placesOf(needles);
    const { classes, width } = classesOf(places);
    let kept = 0;
    const states: (readonly number[])[] = [[ROOT]];
    const numbers = new Map([[`${ROOT}`, ROOT]]);
    const rows: Int32Array[] = [];
    for (const state of states) {
      kept += state.length;
      if (kept > MAX_PLACES) {
        return null;
      }
      const row = rows[ROOT]?.slice() ?? new Int32Array(width);
      for (const [type, reached] of reachedFrom(state, places, classes)) {
        const next = [...reached].sort((one, other) => one - other);
        const key = next.join(' ');
        const number = numbers.get(key) ?? states.push(next) - 1;
        numbers.set(key, number);
        row[type] = number;
      }
      rows.push(row);
    }
    return new NeedleFinder(
      classes,
      width,
      rows,
      states.map((state) => state.flatMap((place) => places[place]?.end ?? [])),
    );
  }

  /**
   * Reports each needle at each place, in the order of their ends.
   *
   * @param found Receives the needle's index and the offset after its last byte.
   */
  scan(bytes: Uint8Array, from: number, to: number, found: (needle: number, end: number) => void): void {
    const classes = this.#classes;
    const table = this.#table;
    const width = this.#width;
    let state = ROOT;
    for (let at = from; at < to; at++) {
      state = table[state + (classes[bytes[at] as number] as number)] as number;
      if (state < 0) {
        state = ~state;
        for (const needle of this.#ends[state / width] as readonly number[]) {
          found(needle, at + 1);
        }
      }
    }
  }
}

/** Returns the places of all needles. They begin at the first one. */
function placesOf(needles: readonly Needle[]): readonly Place[] {
  const places: Place[] = [];
  const add = () => places.push({ next: new Map(), inside: new Map(), end: null }) - 1;
  const link = ({ next }: Place, byte: number, behind: number) => next.set(byte, [...(next.get(byte) ?? []), behind]);
  add();
  for (const [index, { parts }] of needles.entries()) {
    let place = ROOT;
    for (const part of parts) {
      const behind = add();
      for (const spelling of part) {
        let at = places[place] as Place;
        for (const byte of spelling.subarray(0, -1)) {
          let inner = at.inside.get(byte);
          if (inner === undefined) {
            inner = add();
            at.inside.set(byte, inner);
            link(at, byte, inner);
          }
          at = places[inner] as Place;
        }
        link(at, spelling.at(-1) as number, behind);
      }
      place = behind;
    }
    (places[place] as Place).end = index;
  }
  return places;
}

function classesOf(places: readonly Place[]): { classes: Uint8Array; width: number } {
  const uses: string[] = Array.from({ length: 256 }, () => '');
  for (const [place, { next }] of places.entries()) {
    for (const [byte, behind] of next) {
      uses[byte] += `${place}:${behind.join()} `;
    }
  }
  const numbers = new Map([['', 0]]);
  const classes = Uint8Array.from(uses, (use) => {
    const number = numbers.get(use) ?? numbers.size;
    numbers.set(use, number);
    return number;
  });
  return { classes, width: numbers.size };
}

/** Returns the places that each class of bytes leads to from the places of a state, with the first place. */
function reachedFrom(
  state: readonly number[],
  places: readonly Place[],
  classes: Uint8Array,
): ReadonlyMap<number, ReadonlySet<number>> {
  const start = (places[ROOT] as Place).next;
  const reached = new Map<number, Set<number>>();
  for (const place of state) {
    for (const [byte, behind] of (places[place] as Place).next) {
      const type = classes[byte] as number;
      const all = reached.get(type) ?? new Set([ROOT, ...(start.get(byte) ?? [])]);
      for (const next of behind) {
        all.add(next);
      }
      reached.set(type, all);
    }
  }
  return reached;
}
