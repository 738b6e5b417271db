/**
 * Whether an answer has come: a run of bytes found in a stream, however its pieces were cut (Knuth, Morris and Pratt, "Fast
 * pattern matching in strings", 1977). Each byte is looked at once and none is kept. Knows no port and no time.
 */
export class AnswerWait {
  readonly #answer: Uint8Array;
  /** For each number of bytes matched, how many of them are matched still when the next byte does not fit. */
  readonly #fallback: Int32Array;
  #matched = 0;

  /** @param answer at least one byte, compared exactly; else throws a RangeError. */
  constructor(answer: Uint8Array) {
    if (answer.length === 0) {
      throw new RangeError('An answer to wait for has at least one byte');
    }
    this.#answer = answer.slice();
    this.#fallback = new Int32Array(answer.length + 1);
    for (let length = 2; length <= answer.length; length++) {
      this.#fallback[length] = this.#after(this.#fallback[length - 1] ?? 0, answer[length - 1] ?? 0);
    }
  }

  /**
   * Takes the next piece of the stream. Gives the place in it after the answer's last byte, or -1 while the answer is not
   * complete; what is behind that place has not been looked at.
   */
  take(bytes: Uint8Array): number {
    for (let index = 0; index < bytes.length; index++) {
      this.#matched = this.#after(this.#matched, bytes[index] ?? 0);
      if (this.#matched === this.#answer.length) {
        this.#matched = this.#fallback[this.#matched] ?? 0;
        return index + 1;
      }
    }
    return -1;
  }

  /** Bytes matched once `byte` has followed on `matched` of them. */
  #after(matched: number, byte: number): number {
    let length = matched;
    while (length > 0 && this.#answer[length] !== byte) {
      length = this.#fallback[length] ?? 0;
    }
    return this.#answer[length] === byte ? length + 1 : 0;
  }
}
