/**
 * Detects an answer: a sequence of bytes in a stream, independent of how the stream is cut (Knuth, Morris and Pratt,
 * "Fast pattern matching in strings", 1977). Each byte is looked at once and none is stored.
 */
import { NUL } from './control-sequences.ts';

export class AnswerWait {
  /** Offset of the first byte of the last match, in bytes from the first one that was taken. */
  start = 0;
  readonly #answer: Uint8Array;
  readonly #skipsNul: boolean;
  /** Offsets of the newest bytes that were not skipped, as many as the answer has. */
  readonly #offsets: Float64Array;
  /** Number of bytes that were taken, and of those that were not skipped. */
  #taken = 0;
  #compared = 0;
  /** For each number of matched bytes: how many of them still match if the next byte differs. */
  readonly #fallback: Int32Array;
  #matched = 0;

  /**
   * @param answer At least one byte, compared exactly.
   * @param skipsNul True: the answer may have a NUL anywhere in the stream.
   * @throws RangeError if `answer` is empty.
   */
  constructor(answer: Uint8Array, skipsNul = false) {
    if (answer.length === 0) {
      throw new RangeError('An answer to wait for has at least one byte');
    }
    this.#answer = answer.slice();
    this.#skipsNul = skipsNul;
    this.#offsets = new Float64Array(answer.length);
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
      const offset = this.#taken++;
      if (this.#skipsNul && bytes[index] === NUL) {
        continue;
      }
      const { length } = this.#answer;
      this.#offsets[this.#compared++ % length] = offset;
      this.#matched = this.#after(this.#matched, bytes[index] ?? 0);
      if (this.#matched === length) {
        this.start = this.#offsets[this.#compared % length] ?? 0;
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
