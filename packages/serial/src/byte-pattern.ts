/**
 * Finds bytes in bytes by Horspool's algorithm: most of the haystack is skipped, not read. Each part of a pattern may have
 * several spellings, also of different lengths.
 */

/** Bytes at the end of a match that are compared first, each with those that any spelling has there. At most 8, as bits of a byte. */
const LAST_BYTES = 8;

export class BytePattern {
  /** For each part in turn, the bytes that count as it. */
  readonly parts: readonly (readonly Uint8Array[])[];
  /** Lengths of the shortest and of the longest match. */
  readonly shortest: number;
  readonly longest: number;
  /** Offset after the match that `indexIn` has found last. */
  matchEnd = 0;
  /** All spellings of all parts, one after the other. */
  readonly #bytes: Uint8Array;
  /** Offset of each spelling in `#bytes`, and the end of the last one. */
  readonly #offsets: Int32Array;
  /** Index of the first spelling of each part, and the number of all spellings. */
  readonly #firsts: Int32Array;
  /** Distance that the pattern may move, by the byte under its end; 0 if a match may end with that byte. */
  readonly #skip: Int32Array;
  /** The same where the byte ends no match. */
  readonly #skipAgain: Int32Array;
  /** For each byte, a bit for each distance from the end of a match at which it may be. */
  readonly #distances = new Uint8Array(256);
  /** True: the distances of all bytes decide if there is a match. */
  readonly #isShort: boolean;

  /**
   * @param parts At least one, each with at least one spelling of at least one byte. No spelling of a part ends with another
   *   one of it.
   * @throws RangeError if `parts` is empty.
   */
  constructor(parts: readonly (readonly Uint8Array[])[]) {
    if (parts.length === 0) {
      throw new RangeError('A pattern has at least one part');
    }
    this.parts = parts;
    this.#bytes = Uint8Array.from(parts.flatMap((part) => part.flatMap((spelling) => [...spelling])));
    this.#offsets = endsOf(parts.flatMap((part) => part.map(({ length }) => length)));
    this.#firsts = endsOf(parts.map(({ length }) => length));
    this.shortest = parts.reduce((sum, part) => sum + Math.min(...part.map(({ length }) => length)), 0);
    this.longest = parts.reduce((sum, part) => sum + Math.max(...part.map(({ length }) => length)), 0);
    this.#isShort = this.longest <= LAST_BYTES && this.longest === parts.length;
    this.#skipAgain = new Int32Array(256).fill(this.shortest);
    this.#measureDistances();
    this.#skip = this.#skipAgain.map((distance, byte) => ((this.#distances[byte] as number) & 1 ? 0 : distance));
  }

  /** Returns true if a match may contain the byte. */
  mayContain(byte: number): boolean {
    return this.#bytes.includes(byte);
  }

  /** Returns the first position of the pattern in `haystack`, from `from` up to `to`; -1 without one. */
  indexIn(haystack: Uint8Array, from = 0, to = haystack.length): number {
    const skip = this.#skip;
    const distances = this.#distances;
    const skipAgain = this.#skipAgain;
    const last = this.shortest - 1;
    const depth = Math.min(LAST_BYTES, this.shortest);
    let end = from + last;
    while (end < to) {
      const move = skip[haystack[end] as number] as number;
      if (move > 0) {
        end += move;
        continue;
      }
      let distance = 1;
      while (distance < depth && ((distances[haystack[end - distance] as number] as number) & (1 << distance)) !== 0) {
        distance++;
      }
      if (distance === depth) {
        const start = this.#isShort ? end - last : this.startOf(haystack, from, end + 1);
        if (start !== -1) {
          this.matchEnd = end + 1;
          return start;
        }
      }
      end += skipAgain[haystack[end] as number] as number;
    }
    return -1;
  }

  /** Returns the start of the match that ends at `end` and begins at `from` or later; -1 without one. */
  startOf(haystack: Uint8Array, from: number, end: number): number {
    const bytes = this.#bytes;
    const offsets = this.#offsets;
    const firsts = this.#firsts;
    let start = end;
    for (let part = firsts.length - 2; part >= 0; part--) {
      const partEnd = start;
      let spelling = firsts[part] as number;
      const next = firsts[part + 1] as number;
      for (; spelling < next; spelling++) {
        const first = offsets[spelling] as number;
        let at = (offsets[spelling + 1] as number) - 1;
        start = partEnd - 1;
        while (at >= first && start >= from && haystack[start] === bytes[at]) {
          at--;
          start--;
        }
        if (at < first) {
          start++;
          break;
        }
      }
      if (spelling === next) {
        return -1;
      }
    }
    return start;
  }

  #measureDistances(): void {
    const distances = this.#distances;
    const skipAgain = this.#skipAgain;
    /** Bytes behind the current part: the fewest, and all numbers that are near the end. */
    let fewest = 0;
    let near: readonly number[] = [0];
    for (const part of this.parts.toReversed()) {
      for (const spelling of part) {
        for (const [index, byte] of spelling.entries()) {
          const inside = spelling.length - 1 - index;
          if (fewest + inside > 0) {
            skipAgain[byte] = Math.min(fewest + inside, skipAgain[byte] as number);
          }
          for (const behind of near) {
            const bit = behind + inside < LAST_BYTES ? 1 << (behind + inside) : 0;
            distances[byte] = (distances[byte] as number) | bit;
          }
        }
      }
      const lengths = part.map(({ length }) => length);
      fewest += Math.min(...lengths);
      const behind = near.flatMap((before) => lengths.map((length) => before + length));
      near = [...new Set(behind)].filter((distance) => distance < LAST_BYTES);
    }
  }
}

/** Returns 0, and the sum of the lengths up to each one. */
function endsOf(lengths: readonly number[]): Int32Array {
  const ends = new Int32Array(lengths.length + 1);
  for (const [index, length] of lengths.entries()) {
    ends[index + 1] = (ends[index] as number) + length;
  }
  return ends;
}
