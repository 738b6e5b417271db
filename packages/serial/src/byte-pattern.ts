/** Finds bytes in bytes by Horspool's algorithm: most of the haystack is skipped, not read. */

export class BytePattern {
  readonly length: number;
  readonly #bytes: Uint8Array;
  /** Each byte as it is compared: itself, or its lower-case letter. */
  readonly #fold = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  /** Distance that the pattern may move, by the byte under its end; 0 if that byte is the pattern's last one. */
  readonly #skip: Int32Array;
  /** Distance that the pattern may move after a byte that is its last one. */
  readonly #skipLast: number;

  /**
   * @param bytes At least one byte.
   * @param ignoreCase True: ignore the case of the 26 ASCII letters.
   * @throws RangeError if `bytes` is empty.
   */
  constructor(bytes: Uint8Array, ignoreCase: boolean) {
    if (bytes.length === 0) {
      throw new RangeError('A pattern has at least one byte');
    }
    for (let letter = 0x41; ignoreCase && letter <= 0x5a; letter++) {
      this.#fold[letter] = letter + 0x20;
    }
    this.length = bytes.length;
    this.#bytes = bytes.map((byte) => this.#fold[byte] ?? byte);
    const last = this.length - 1;
    const lastByte = this.#bytes[last] ?? 0;
    const before = this.#bytes.subarray(0, last);
    this.#skipLast = last - before.lastIndexOf(lastByte);
    this.#skip = Int32Array.from(this.#fold, (folded) => (folded === lastByte ? 0 : last - before.lastIndexOf(folded)));
  }

  /** Returns the index of a byte in the pattern, as it is compared; -1 if the pattern does not contain it. */
  indexOfByte(byte: number): number {
    return this.#bytes.indexOf(byte);
  }

  /** Returns the first position of the pattern in `haystack`, from `from` up to `to`; -1 without one. */
  indexIn(haystack: Uint8Array, from = 0, to = haystack.length): number {
    const skip = this.#skip;
    const last = this.length - 1;
    let end = from + last;
    while (end < to) {
      const move = skip[haystack[end] as number] as number;
      if (move > 0) {
        end += move;
      } else if (this.#matches(haystack, end - last)) {
        return end - last;
      } else {
        end += this.#skipLast;
      }
    }
    return -1;
  }

  /** Returns true if all but the last byte match. */
  #matches(haystack: Uint8Array, at: number): boolean {
    const bytes = this.#bytes;
    const fold = this.#fold;
    for (let index = this.length - 2; index >= 0; index--) {
      if (fold[haystack[at + index] as number] !== bytes[index]) {
        return false;
      }
    }
    return true;
  }
}
