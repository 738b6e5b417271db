/**
 * What stands in front of a reading, from the number before it or from the start of the line up to its `:` or `=`, as it was in the line before: boards print the
 * same names and units line after line. Where the bytes are the same, so are the unit and the name in them.
 */

/** Longest lead that is remembered, in bytes. */
const MAX_LENGTH = 64;

export class KnownLead {
  /** Bytes of the unit at its beginning. */
  unit = 0;
  /** Where the name is, from the beginning. */
  nameStart = 0;
  nameEnd = 0;
  /** Whether the name has blanks in it. */
  severalWords = false;
  /** Whether nothing but edges is between unit and name. */
  isPure = false;
  length = 0;
  readonly #bytes = new Uint8Array(MAX_LENGTH);
  #state = 0;

  /** Whether the same bytes begin at `from` and end before `to`. @param state What else decides how they are read. */
  isAt(bytes: Uint8Array, from: number, to: number, state: number): boolean {
    const { length } = this;
    if (length === 0 || state !== this.#state || from + length > to) {
      return false;
    }
    const known = this.#bytes;
    for (let index = 0; index < length; index++) {
      if (known[index] !== bytes[from + index]) {
        return false;
      }
    }
    return true;
  }

  /** Remembers the bytes from `from` up to `to`, unless they are too many. */
  remember(bytes: Uint8Array, from: number, to: number, state: number): void {
    this.length = to - from <= MAX_LENGTH ? to - from : 0;
    for (let index = 0; index < this.length; index++) {
      this.#bytes[index] = bytes[from + index] as number;
    }
    this.#state = state;
  }
}
