/**
 * A queue of bytes that are taken in pieces of any size. It keeps the pushed arrays without a copy: callers must not
 * reuse them.
 */
export class ByteQueue {
  readonly #chunks: Uint8Array[] = [];
  /** Bytes of the first chunk that have already been taken. */
  #taken = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(bytes: Uint8Array): void {
    if (bytes.length > 0) {
      this.#chunks.push(bytes);
      this.#length += bytes.length;
    }
  }

  /** Takes at most `count` bytes. Returns a new array. */
  take(count: number): Uint8Array<ArrayBuffer> {
    const result = new Uint8Array(Math.min(count, this.#length));
    let filled = 0;
    let used = 0;
    while (filled < result.length) {
      const chunk = this.#chunks[used];
      if (chunk === undefined) {
        break;
      }
      const piece = chunk.subarray(this.#taken, this.#taken + result.length - filled);
      result.set(piece, filled);
      filled += piece.length;
      this.#taken += piece.length;
      if (this.#taken === chunk.length) {
        this.#taken = 0;
        used++;
      }
    }
    this.#chunks.splice(0, used);
    this.#length -= filled;
    return result;
  }

  clear(): void {
    this.#chunks.length = 0;
    this.#taken = 0;
    this.#length = 0;
  }
}
