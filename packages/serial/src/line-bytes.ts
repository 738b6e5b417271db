/**
 * The bytes of a line as they are read: as they arrived, or decoded. Readers of lines use this file and need not know
 * which. The text made of them is in `line-text.ts`.
 */
import { ControlFinder } from './control-finder.ts';
import { BACKSLASH, BELL, ESCAPE, stringEndOf, stringGoesOn } from './control-sequences.ts';
import type { LineChannel } from './line-channel.ts';

/** Bytes addressed by offset: the ring of a channel, or the decoded content of one line. */
export interface ByteSource {
  byteAt(offset: number): number;
  /** Returns the bytes in one piece. It may be a view that is valid until the source changes. */
  view(from: number, to: number): Uint8Array<ArrayBuffer>;
  copy(from: number, to: number, target: Uint8Array, at: number): void;
}

export interface LineBytes {
  readonly source: ByteSource;
  /** Offset of the line in the source. `textEnd` is the offset of its line ending. */
  readonly from: number;
  /** Offset of the text: later than `from` if the line begins with the end of a control string. */
  readonly textStart: number;
  readonly textEnd: number;
  readonly to: number;
}

class DecodedContent implements ByteSource {
  readonly #bytes: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#bytes = bytes;
  }

  byteAt(offset: number): number {
    return this.#bytes[offset] ?? 0;
  }

  view(from: number, to: number): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(from, to);
  }

  copy(from: number, to: number, target: Uint8Array, at: number): void {
    target.set(this.#bytes.subarray(from, to), at);
  }
}

export function bytesOfLine(channel: LineChannel, line: number): LineBytes {
  const from = channel.startOf(line);
  const to = channel.endOf(line);
  const decode = channel.decoderOf(line);
  if (decode === null) {
    const textEnd = to - channel.endingOf(line);
    return { source: channel.ring, from, textStart: from + stringTail(channel, line, textEnd), textEnd, to };
  }
  const content = decode(channel.ring.view(from, to));
  return { source: new DecodedContent(content), from: 0, textStart: 0, textEnd: content.length, to: content.length };
}

/**
 * Returns the number of bytes at the start of a line that end a control string of the previous line, such as a window
 * title. 0 if the previous line began no string, or if the string does not end here. In the second case it was cut
 * short, and the line is text.
 */
function stringTail(channel: LineChannel, line: number, textEnd: number): number {
  if (channel.identity.direction !== 'received' || line === channel.firstLine) {
    return 0;
  }
  const from = channel.startOf(line);
  const length = stringEndOf(channel.ring.view(from, textEnd));
  if (length === 0 || channel.decoderOf(line - 1) !== null) {
    return 0;
  }
  return stringGoesOn(channel.ring.view(channel.startOf(line - 1), channel.textEndOf(line - 1))) ? length : 0;
}

/** Consecutive lines in one piece. Valid until the channel receives more; a caller that waits must copy. */
export interface LineBlock {
  readonly bytes: Uint8Array;
  /** Offset of a line in `bytes`. `textEndOf` is the offset of its line ending. */
  startOf(line: number): number;
  textEndOf(line: number): number;
  endOf(line: number): number;
  /** Offset of the text: later than `startOf` if the line begins with the end of a control string. */
  textStartOf(line: number): number;
  /** Length of the line ending in bytes. */
  endingOf(line: number): number;
}

/** Returns the lines from `from` up to `to`, at least one. */
export function blockOf(channel: LineChannel, from: number, to: number): LineBlock {
  return channel.mayBeDecoded(from, to) ? new DecodedBlock(channel, from, to) : new ArrivedBlock(channel, from, to);
}

class ArrivedBlock implements LineBlock {
  readonly bytes: Uint8Array;
  readonly #channel: LineChannel;
  readonly #base: number;
  /** True if a control string may end in the block; null until first needed. */
  #endsStrings: boolean | null = null;

  constructor(channel: LineChannel, from: number, to: number) {
    this.#channel = channel;
    this.#base = channel.startOf(from);
    this.bytes = channel.ring.view(this.#base, channel.endOf(to - 1));
  }

  startOf(line: number): number {
    return this.#channel.startOf(line) - this.#base;
  }

  textEndOf(line: number): number {
    return this.#channel.textEndOf(line) - this.#base;
  }

  endOf(line: number): number {
    return this.#channel.endOf(line) - this.#base;
  }

  textStartOf(line: number): number {
    const start = this.startOf(line);
    this.#endsStrings ??= endsStrings(this.bytes);
    return this.#endsStrings ? start + stringTail(this.#channel, line, this.#channel.textEndOf(line)) : start;
  }

  endingOf(line: number): number {
    return this.#channel.endingOf(line);
  }
}

class DecodedBlock implements LineBlock {
  readonly bytes: Uint8Array;
  readonly #from: number;
  readonly #starts: number[] = [];
  readonly #textStarts: number[] = [];
  readonly #textEnds: number[] = [];

  constructor(channel: LineChannel, from: number, to: number) {
    this.#from = from;
    // Decoded content is never longer than its frame.
    const bytes = new Uint8Array(channel.endOf(to - 1) - channel.startOf(from));
    let at = 0;
    for (let line = from; line < to; line++) {
      const { source, from: start, textStart, textEnd, to: end } = bytesOfLine(channel, line);
      source.copy(start, end, bytes, at);
      this.#starts.push(at);
      this.#textStarts.push(at + textStart - start);
      this.#textEnds.push(at + textEnd - start);
      at += end - start;
    }
    this.#starts.push(at);
    this.bytes = bytes.subarray(0, at);
  }

  startOf(line: number): number {
    return this.#starts[line - this.#from] ?? Number.NaN;
  }

  textEndOf(line: number): number {
    return this.#textEnds[line - this.#from] ?? Number.NaN;
  }

  endOf(line: number): number {
    return this.startOf(line + 1);
  }

  textStartOf(line: number): number {
    return this.#textStarts[line - this.#from] ?? Number.NaN;
  }

  endingOf(line: number): number {
    return this.endOf(line) - this.textEndOf(line);
  }
}

function endsStrings(bytes: Uint8Array): boolean {
  const controls = new ControlFinder(bytes);
  const first = controls.next(0);
  if (first === bytes.length) {
    return false;
  }
  if (bytes.includes(BELL, first)) {
    return true;
  }
  let at = bytes.indexOf(BACKSLASH, first + 1);
  while (at !== -1 && bytes[at - 1] !== ESCAPE) {
    at = bytes.indexOf(BACKSLASH, at + 1);
  }
  return at !== -1;
}
