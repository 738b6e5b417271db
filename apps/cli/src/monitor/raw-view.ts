/** The bytes of one port as they come. A reader that is behind gets them later, from the port's ring. */
import type { Bench, PortNumber } from '@wirebench/serial';

/** Most bytes of one write. */
const PIECE = 65_536;

export class RawView {
  readonly #feed: ReturnType<Bench['byteFeed']>;
  readonly #write: (bytes: Uint8Array) => boolean;
  #next = 0;

  /** @param write Prints bytes. Returns false while the reader is behind. */
  constructor(bench: Bench, port: PortNumber, write: (bytes: Uint8Array) => boolean) {
    this.#feed = bench.byteFeed(port);
    this.#write = write;
  }

  /** Prints what has come. Returns false while the reader is behind. */
  print(): boolean {
    const { start, end } = this.#feed;
    this.#next = Math.max(this.#next, start);
    while (this.#next < end) {
      const bytes = this.#feed.read(this.#next, PIECE);
      this.#next += bytes.length;
      if (!this.#write(bytes)) {
        return false;
      }
    }
    return true;
  }
}
