/**
 * Rejects text that none of many patterns matches, in one pass over its bytes. Each alternative of a pattern stands for
 * the longest text that all of its matches contain (A. Aho, M. Corasick, "Efficient String Matching", 1975).
 */

/** Byte values that a text may have at one place. */
type Place = readonly number[];

const ROOT = 0;
/** Stands for all states in which a text has ended. */
const FOUND = -1;
/** Length of the shortest text, in bytes. Most lines would contain a shorter one. */
const MIN_LENGTH = 2;

const encoder = new TextEncoder();
const blanks: Place = [...encoder.encode(' \t')];

export class HintFinder {
  /** Class of each byte. Bytes that are in no text share class 0. */
  readonly #classes = new Uint8Array(256);
  /** The next state for each state and class; a state is the offset of its classes. */
  readonly #table: Int32Array;

  /**
   * @param patterns Sources of regular expressions. A blank stands for one or more blanks and tabs.
   * @throws RangeError for an alternative without a text that all of its matches contain, and for groups in groups in
   *   groups.
   */
  constructor(patterns: readonly string[]) {
    const texts = patterns.flatMap(alternativesOf).flatMap((alternative) => spellings(requiredText(alternative)));
    let width = 1;
    for (const byte of new Set(texts.flat())) {
      this.#classes[byte] = width++;
    }
    this.#table = tableOf(
      texts.map((text) => text.map((byte) => this.#classes[byte] as number)),
      width,
    );
  }

  /**
   * Returns false if no pattern matches in the text. True: one may match.
   *
   * @param bytes UTF-8.
   */
  mayMatch(bytes: Uint8Array): boolean {
    const classes = this.#classes;
    const table = this.#table;
    let state = ROOT;
    for (let at = 0; at < bytes.length; at++) {
      state = table[state + (classes[bytes[at] as number] as number)] as number;
      if (state === FOUND) {
        return true;
      }
    }
    return false;
  }
}

/** Returns the table of `HintFinder` for texts of classes. */
function tableOf(texts: readonly (readonly number[])[], width: number): Int32Array {
  const tree: Map<number, number>[] = [new Map()];
  const ends = new Set<number>();
  for (const text of texts) {
    let state = ROOT;
    for (const type of text) {
      const next = tree[state]?.get(type) ?? tree.push(new Map()) - 1;
      tree[state]?.set(type, next);
      state = next;
    }
    ends.add(state);
  }
  const table = new Int32Array(tree.length * width);
  /** For each state, the one of the longest text that its own text ends with. */
  const suffixes = new Int32Array(tree.length);
  const queue = [ROOT];
  for (const state of queue) {
    const suffix = suffixes[state] as number;
    if (ends.has(suffix)) {
      ends.add(state);
    }
    for (let type = 0; type < width; type++) {
      const child = tree[state]?.get(type);
      const elsewhere = state === ROOT ? ROOT : (table[suffix * width + type] as number);
      table[state * width + type] = child ?? elsewhere;
      if (child !== undefined) {
        suffixes[child] = elsewhere;
        queue.push(child);
      }
    }
  }
  return table.map((state) => (ends.has(state) ? FOUND : state * width));
}

/** Splits a pattern at the bars that are in no group and no class. */
function alternativesOf(pattern: string): readonly string[] {
  const alternatives = [''];
  for (const atom of atomsOf(pattern)) {
    if (atom === '|') {
      alternatives.push('');
    } else {
      alternatives[alternatives.length - 1] += atom;
    }
  }
  return alternatives;
}

/** Returns the atoms and quantifiers of a pattern. A group is one atom. */
function atomsOf(pattern: string): readonly string[] {
  return pattern.match(/\\.|\[(?:\\.|[^\]])*\]|\((?:\\.|[^()\\]|\((?:\\.|[^()\\])*\))*\)|\{[\d,]*\}|[\s\S]/gu) ?? [];
}

/** Returns the longest text that every match of an alternative contains. */
function requiredText(alternative: string): readonly Place[] {
  const atoms = atomsOf(alternative);
  let longest: readonly Place[] = [];
  let text: Place[] = [];
  for (const [index, atom] of atoms.entries()) {
    if (atom === '(') {
      throw new RangeError(`The groups of ${alternative} are too deep`);
    }
    const next = atoms[index + 1] ?? '';
    const isOptional = /^[?*{]/.test(next);
    const places = isOptional ? null : placesOf(atom);
    text = places === null ? [] : [...text, ...places];
    longest = text.length > longest.length ? text : longest;
    if (places !== null && (atom === ' ' || next === '+')) {
      // It may come several times: what follows is behind its last one.
      text = places.length === 1 ? places : [];
    }
  }
  if (longest.length < MIN_LENGTH) {
    throw new RangeError(`No text is in all matches of ${alternative}`);
  }
  return longest;
}

/** Returns the bytes of an atom that stands for one character; null for any other. */
function placesOf(atom: string): Place[] | null {
  if (atom === ' ') {
    return [blanks];
  }
  if (/^\[[A-Za-z]+\]$/.test(atom)) {
    return [[...encoder.encode(atom.slice(1, -1))]];
  }
  const character = /^\\[^A-Za-z0-9]$/.test(atom) ? atom.slice(1) : /^[^\\[({?*+.^$|]/u.test(atom) ? atom : null;
  return character === null ? null : [...encoder.encode(character)].map((byte) => [byte]);
}

/** Returns the texts with one byte of each place. */
function spellings(text: readonly Place[]): readonly (readonly number[])[] {
  return text.reduce<readonly (readonly number[])[]>(
    (heads, place) => heads.flatMap((head) => place.map((byte) => [...head, byte])),
    [[]],
  );
}
