/** Text of copied rows as UTF-8, without the line break at its end. */

export const tooMuchToCopy = 'This is too much for the clipboard. Export the log instead.';

const encoder = new TextEncoder();

export class CopiedText {
  readonly #pieces: Iterable<string>;
  readonly #maxLength: number;
  /** Rows in the chunks that were taken. */
  rows = 0;

  /**
   * @param pieces Each ends with a line break.
   * @param maxLength In UTF-16 units.
   */
  constructor(pieces: Iterable<string>, maxLength: number) {
    this.#pieces = pieces;
    this.#maxLength = maxLength;
  }

  /** @throws RangeError if the text is longer than `maxLength`. */
  *chunks(): Generator<Uint8Array<ArrayBuffer>, void> {
    let length = 0;
    for (const piece of this.#pieces) {
      // The break behind the previous piece comes with this one.
      const text = `${this.rows === 0 ? '' : '\n'}${piece.slice(0, -1)}`;
      length += text.length;
      if (length > this.#maxLength) {
        throw new RangeError(tooMuchToCopy);
      }
      this.rows += breaksIn(piece);
      yield encoder.encode(text);
    }
  }
}

function breaksIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    count++;
  }
  return count;
}
