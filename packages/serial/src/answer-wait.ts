/**
 * Detects an answer: a sequence of bytes in a stream, independent of how the stream is cut (Knuth, Morris and Pratt,
 * "Fast pattern matching in strings", 1977). Each byte is looked at once and none is stored.
 */
export class AnswerWait {
  readonly #answer: Uint8Array;
  /** For each number of matched bytes: how many of them still match if the next byte differs. */
  readonly #fallback: Int32Array;
  #matched = 0;

  /**
   * @param answer At least one byte, compared exactly.
   * @throws RangeError if `answer` is empty.
   */
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
   * Takes the next piece of the stream.
   *
   * @returns Offset in the piece after the last byte of the answer; -1 while the answer is incomplete. Bytes behind
   *   that offset have not been looked at.
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

  /** Returns the number of matched bytes after `byte` has followed `matched` of them. */
  #after(matched: number, byte: number): number {
    let length = matched;
    while (length > 0 && this.#answer[length] !== byte) {
      length = this.#fallback[length] ?? 0;
    }
    return this.#answer[length] === byte ? length + 1 : 0;
  }
}
