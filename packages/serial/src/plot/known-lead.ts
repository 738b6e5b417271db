/**
 * Text in front of a reading, from the previous number or the start of the line up to its `:` or `=`, as in the
 * previous line. Boards print the same names and units line after line. Equal bytes give the same unit and name.
 */

/** Longest lead that is remembered, in bytes. */
const MAX_LENGTH = 64;

export class KnownLead {
  /** Bytes of the unit at its beginning. */
  unit = 0;
  /** Start of the name, as an offset into the lead. */
  nameStart = 0;
  nameEnd = 0;
  /** True: the name contains blanks. */
  severalWords = false;
  /** True: only edge characters are between unit and name. */
  isPure = false;
  length = 0;
  readonly #bytes = new Uint8Array(MAX_LENGTH);
  #state = 0;

  /**
   * Returns true if the same bytes begin at `from` and end before `to`. @param state Further state that decides how
   * they are read.
   */
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
