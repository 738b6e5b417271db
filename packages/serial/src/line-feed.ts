/**
 * Feeds a port's received lines to a reader: in slices and in order, each line once it has an end. Lines are read
 * after they were stored, so reading the port never waits for the reader. A slow reader misses lines that have left
 * the ring. Lines from before this bench joined are left out.
 */
import { blockOf } from './line-bytes.ts';
import type { LineChannel } from './line-channel.ts';

/** Most lines of a slice, and most bytes unless its first line alone has more. */
const SLICE_LINES = 2_048;
const SLICE_BYTES = 1 << 18;

interface FedLine {
  /** Range of its text in the bytes of the slice, without the line ending. */
  readonly start: number;
  readonly end: number;
  /** Sequence number of the line, which orders the timeline. */
  readonly sequence: number;
  /** Arrival of the first byte, in milliseconds since the Unix epoch. */
  readonly at: number;
}

export interface LineSlice {
  /** Whole lines with their endings. Valid until the port receives more; a caller that waits must copy. */
  readonly bytes: Uint8Array;
  readonly lines: readonly FedLine[];
}

export class LineFeed {
  readonly #channel: LineChannel;
  /** Ordinal of the line to read next, and the offset of the bytes that were not read. */
  #next: number;
  #offset: number;

  /**
   * Begins with the oldest held line.
   *
   * @param channel Received lines of a port.
   */
  constructor(channel: LineChannel) {
    this.#channel = channel;
    this.#next = channel.firstLine;
    this.#offset = channel.start;
  }

  /** True if every line that has an end has been read. */
  get complete(): boolean {
    return this.#from >= this.#end;
  }

  /** Returns the next lines; null if no complete line is left. */
  read(): LineSlice | null {
    const channel = this.#channel;
    const from = this.#from;
    if (from >= this.#end) {
      return null;
    }
    const base = channel.startOf(from);
    const to = this.#sliceEnd(from, base);
    this.#next = to;
    this.#offset = channel.endOf(to - 1);
    const block = blockOf(channel, from, to);
    let lines: readonly FedLine[] | null = null;
    return {
      bytes: block.bytes,
      // Most slices are read as one text.
      get lines() {
        lines ??= Array.from({ length: to - from }, (_, index) => {
          const line = from + index;
          return {
            start: block.textStartOf(line),
            end: block.textEndOf(line),
            sequence: channel.sequenceOf(line),
            at: channel.timeOf(line),
          };
        });
        return lines;
      },
    };
  }

  /** Returns the ordinal after the last line of a slice that begins with line `from`, whose first byte is at `base`. */
  #sliceEnd(from: number, base: number): number {
    const most = Math.min(from + SLICE_LINES, this.#end, this.#channel.nextEarlier(from));
    if (channelBytes(this.#channel, base, most) <= SLICE_BYTES) {
      return most;
    }
    return Math.max(from + 1, this.#channel.lineAtOffset(base + SLICE_BYTES, from, most));
  }

  /** Number of the line that is read next and is still held. */
  get #from(): number {
    if (this.#channel.isOfOlderCut(this.#next)) {
      this.#next = this.#channel.lineEndingAfter(this.#offset);
    }
    return this.#channel.afterEarlier(Math.max(this.#next, this.#channel.firstLine));
  }

  /** Ordinal after the newest line that has an end. */
  get #end(): number {
    const { endLine, lines } = this.#channel;
    return lines > 0 && this.#channel.isOpen(endLine - 1) ? endLine - 1 : endLine;
  }
}

function channelBytes(channel: LineChannel, base: number, end: number): number {
  return channel.endOf(end - 1) - base;
}
