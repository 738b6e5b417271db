/** Received bytes that no answer has taken yet: the newest ones, up to a limit. */

export class UnreadBytes {
  readonly #limit: number;
  #pieces: Uint8Array[] = [];
  #length = 0;
  #start = 0;

  /** @param limit Most bytes that are kept. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Offset of the first unread byte in all bytes that were ever appended. */
  get start(): number {
    return this.#start;
  }

  get pieces(): readonly Uint8Array[] {
    return this.#pieces;
  }

  /** Appends a piece, which must not change afterwards. Forgets the oldest bytes beyond the limit. */
  append(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length > this.#limit) {
      this.dropUntil(this.#start + this.#length - this.#limit);
    }
  }

  /** Removes all bytes before `offset`. */
  dropUntil(offset: number): void {
    let excess = Math.min(offset - this.#start, this.#length);
    while (excess > 0) {
      const [first = new Uint8Array()] = this.#pieces;
      const dropped = Math.min(excess, first.length);
      if (dropped === first.length) {
        this.#pieces.shift();
      } else {
        this.#pieces[0] = first.subarray(dropped);
      }
      this.#start += dropped;
      this.#length -= dropped;
      excess -= dropped;
    }
  }

  clear(): void {
    this.dropUntil(this.#start + this.#length);
  }

  /** Copies the bytes from `from` up to `to`, as far as they are unread. */
  slice(from: number, to: number): Uint8Array<ArrayBuffer> {
    const first = Math.max(from, this.#start);
    const copy = new Uint8Array(Math.max(0, Math.min(to, this.#start + this.#length) - first));
    let at = this.#start;
    for (const piece of this.#pieces) {
      const part = piece.subarray(Math.max(0, first - at), Math.max(0, to - at));
      if (part.length > 0) {
        copy.set(part, Math.max(0, at - first));
      }
      at += piece.length;
    }
    return copy;
  }
}
