/**
 * Finds many byte sequences in one pass (A. Aho, M. Corasick, "Efficient String Matching", 1975). The case of the 26
 * ASCII letters is ignored. One look-up in a table for each byte, whatever the number of needles.
 */

const ROOT = 0;

export class NeedleFinder {
  /** Class of each byte. Bytes that are in no needle share class 0. */
  readonly #classes = new Uint8Array(256);
  readonly #width: number;
  /** The next state for each state and class. States with ends of needles are stored as their complement. */
  readonly #table: Int32Array;
  /** For each state, the needles that end there. */
  readonly #ends: readonly (readonly number[])[];

  /** @param needles Each at least one byte. */
  constructor(needles: readonly Uint8Array[]) {
    const classes = this.#classes;
    let width = 1;
    for (const byte of needles.flatMap((needle) => [...needle].map(lower))) {
      if (classes[byte] === 0) {
        classes[byte] = width++;
      }
    }
    for (let letter = 0x41; letter <= 0x5a; letter++) {
      classes[letter] = classes[letter + 0x20] as number;
    }
    this.#width = width;
    const ends: number[][] = [[]];
    const tree: Map<number, number>[] = [new Map()];
    for (const [index, needle] of needles.entries()) {
      let state = ROOT;
      for (const byte of needle) {
        const type = classes[byte] as number;
        const next = tree[state]?.get(type) ?? tree.push(new Map()) - 1;
        tree[state]?.set(type, next);
        ends[next] ??= [];
        state = next;
      }
      ends[state]?.push(index);
    }
    this.#ends = ends;
    this.#table = this.#connect(tree, ends);
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

  /** Returns the table of a tree of needles, and adds to each state's ends those of its longest suffix. */
  #connect(tree: readonly Map<number, number>[], ends: number[][]): Int32Array {
    const width = this.#width;
    const next = new Int32Array(tree.length * width);
    const suffixes = new Int32Array(tree.length);
    const queue: number[] = [ROOT];
    for (const state of queue) {
      const suffix = suffixes[state] as number;
      for (let type = 0; type < width; type++) {
        const child = tree[state]?.get(type);
        const elsewhere = state === ROOT ? ROOT : (next[suffix * width + type] as number);
        next[state * width + type] = child ?? elsewhere;
        if (child !== undefined) {
          suffixes[child] = elsewhere;
          ends[child]?.push(...(ends[elsewhere] ?? []));
          queue.push(child);
        }
      }
    }
    return next.map((state) => ((ends[state]?.length ?? 0) > 0 ? ~(state * width) : state * width));
  }
}

const lower = (byte: number): number => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte);
