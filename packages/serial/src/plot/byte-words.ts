/** A few words that are recognised in bytes, without a string being made of them. */

const encoder = new TextEncoder();
const none: readonly Uint8Array[] = [];

export class ByteWords {
  /** Words by their length and first byte. */
  readonly #words: (readonly Uint8Array[] | undefined)[] = [];
  readonly #fold = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  /** By the first byte of a word, in both cases if these count as one. */
  readonly #first: Uint8Array;
  readonly #longest: number;

  /**
   * @param words Not empty; in lower case if `ignoreCase`.
   * @param ignoreCase True: ignore the case of the 26 ASCII letters.
   */
  constructor(words: readonly string[], ignoreCase = false) {
    for (let letter = 0x41; ignoreCase && letter <= 0x5a; letter++) {
      this.#fold[letter] = letter + 0x20;
    }
    const all = words.map((word) => encoder.encode(word));
    for (const word of all) {
      const key = keyOf(word.length, word[0] as number);
      this.#words[key] = [...(this.#words[key] ?? []), word];
    }
    const initials = new Set(all.map(([first]) => first));
    this.#first = this.#fold.map((folded) => (initials.has(folded) ? 1 : 0));
    this.#longest = Math.max(...all.map(({ length }) => length));
  }

  /** False if no word has this first byte. */
  mayBegin(byte: number): boolean {
    return this.#first[byte] === 1;
  }

  /** Returns true if the bytes from `from` up to `to` are one of the words. */
  has(bytes: Uint8Array, from: number, to: number): boolean {
    const length = to - from;
    if (length <= 0 || length > this.#longest) {
      return false;
    }
    for (const word of this.#words[keyOf(length, this.#fold[bytes[from] as number] as number)] ?? none) {
      if (this.#isWord(word, bytes, from)) {
        return true;
      }
    }
    return false;
  }

  #isWord(word: Uint8Array, bytes: Uint8Array, from: number): boolean {
    for (let index = 1; index < word.length; index++) {
      if (this.#fold[bytes[from + index] as number] !== word[index]) {
        return false;
      }
    }
    return true;
  }
}

const keyOf = (length: number, first: number) => (length << 8) | first;
