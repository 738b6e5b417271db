/**
 * The lines that a port receives, for whoever reads along: in slices and in order, each once it has an end, and after they were
 * received, so that reading a port never waits for it. Who cannot follow misses what has left the ring meanwhile. Lines that passed
 * before this bench was here are left out. Knows nothing of what is read in them.
 */
import { blockOf } from './line-bytes.ts';
import type { LineChannel } from './line-channel.ts';

/** Lines in a slice, and bytes unless its first line alone has more. */
const SLICE_LINES = 2_048;
const SLICE_BYTES = 1 << 18;

interface FedLine {
  /** Where its text stands in the bytes of the slice, the line ending left out. */
  readonly start: number;
  readonly end: number;
  /** Number of the line, by which the timeline is in order. */
  readonly sequence: number;
  /** Milliseconds since the Unix epoch. */
  readonly at: number;
}

export interface LineSlice {
  /** Whole lines with their endings. Good until the port receives more: whoever waits copies. */
  readonly bytes: Uint8Array;
  readonly lines: readonly FedLine[];
}

export class LineFeed {
  readonly #channel: LineChannel;
  /** The line that is read next. */
  #next: number;

  /** Begins with the oldest line that is held. @param channel of what a port receives. */
  constructor(channel: LineChannel) {
    this.#channel = channel;
    this.#next = channel.firstLine;
  }

  /** Every line that has an end has been read. */
  get complete(): boolean {
    return this.#from >= this.#end;
  }

  /** The next lines; null when there are none yet. */
  read(): LineSlice | null {
    const channel = this.#channel;
    const from = this.#from;
    if (from >= this.#end) {
      return null;
    }
    const base = channel.startOf(from);
    const to = this.#sliceEnd(from, base);
    this.#next = to;
    const block = blockOf(channel, from, to);
    const lines = Array.from({ length: to - from }, (_, index) => {
      const line = from + index;
      return {
        start: block.textStartOf(line),
        end: block.textEndOf(line),
        sequence: channel.sequenceOf(line),
        at: channel.timeOf(line),
      };
    });
    return { bytes: block.bytes, lines };
  }

  /** Number after the last line of a slice that begins with `from`, at the byte `base`. */
  #sliceEnd(from: number, base: number): number {
    const most = Math.min(from + SLICE_LINES, this.#end, this.#channel.nextEarlier(from));
    if (channelBytes(this.#channel, base, most) <= SLICE_BYTES) {
      return most;
    }
    return Math.max(from + 1, this.#channel.lineAtOffset(base + SLICE_BYTES, from, most));
  }

  /** Number of the line that is read next and is still held. */
  get #from(): number {
    return this.#channel.afterEarlier(Math.max(this.#next, this.#channel.firstLine));
  }

  /** Number after the newest line that has an end. */
  get #end(): number {
    const { endLine, lines } = this.#channel;
    return lines > 0 && this.#channel.isOpen(endLine - 1) ? endLine - 1 : endLine;
  }
}

function channelBytes(channel: LineChannel, base: number, end: number): number {
  return channel.endOf(end - 1) - base;
}
