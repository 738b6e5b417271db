/**
 * Reads the received bytes of a port by their offset, for a reader that shows the stream itself and no lines. Bytes are
 * read after they were stored, so reading the port never waits for the reader. A slow reader misses bytes that have left
 * the ring.
 */
import type { LineChannel } from './line-channel.ts';

const newline = 0x0a;

export class ByteFeed {
  readonly #channel: LineChannel;

  /** @param channel Received bytes of a port. */
  constructor(channel: LineChannel) {
    this.#channel = channel;
  }

  /** Offset of the oldest byte that is held and was not cleared. */
  get start(): number {
    return this.#channel.start;
  }

  /** Offset after the newest byte. */
  get end(): number {
    return this.#channel.ring.end;
  }

  /**
   * Copies bytes from offset `from` on. Fewer than `most` are left at the end of what was received.
   *
   * @throws RangeError if `from` is not from `start` to `end`.
   */
  read(from: number, most: number): Uint8Array<ArrayBuffer> {
    if (from < this.start || from > this.end) {
      throw new RangeError(`The byte ${from} is not held: only ${this.start} to ${this.end}`);
    }
    const bytes = new Uint8Array(Math.min(most, this.end - from));
    this.#channel.ring.copy(from, from + bytes.length, bytes, 0);
    return bytes;
  }

  /**
   * Returns where the last `most` bytes begin: after the first line ending among the first `search` of them, else in the
   * middle of a line. A stream that is read from there does not begin inside an escape sequence.
   */
  lastFrom(most: number, search: number): number {
    const from = Math.max(this.start, this.end - most);
    if (from === this.start) {
      return from;
    }
    const at = this.read(from, Math.min(search, most)).indexOf(newline);
    return at === -1 ? from : from + at + 1;
  }
}
