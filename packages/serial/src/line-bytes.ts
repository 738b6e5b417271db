/**
 * The bytes of a line as they are read: those that arrived, or what they are decoded to. Whoever reads lines takes them from here
 * and needs not know which. Knows lines and their bytes; the text made of them is `line-text.ts`.
 */
import { ControlFinder } from './control-finder.ts';
import { BACKSLASH, BELL, ESCAPE, stringEndOf, stringGoesOn } from './control-sequences.ts';
import type { LineChannel } from './line-channel.ts';

/** Where bytes are read by their offsets: the ring of a channel, or the decoded content of one line. */
export interface ByteSource {
  byteAt(offset: number): number;
  /** The bytes in one piece, which may be a view that is good until the source changes. */
  view(from: number, to: number): Uint8Array<ArrayBuffer>;
  copy(from: number, to: number, target: Uint8Array, at: number): void;
}

export interface LineBytes {
  readonly source: ByteSource;
  /** Offsets in the source, of the line and of where its line ending begins. */
  readonly from: number;
  /** Where text begins: later than `from` if the line begins with the end of a control string. */
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
 * Number of bytes at the start of a line that are the end of a control string, such as a window title, that the line before began. 0 if
 * that line began none, or if the string does not end here: then it was cut short, and the line is text.
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

/** Lines that follow each other, in one piece. Good until the channel receives more: whoever waits copies. */
export interface LineBlock {
  readonly bytes: Uint8Array;
  /** Where a line stands in `bytes`, and where its line ending begins. */
  startOf(line: number): number;
  textEndOf(line: number): number;
  endOf(line: number): number;
  /** Where text begins: later than `startOf` if the line begins with the end of a control string. */
  textStartOf(line: number): number;
  /** Bytes of its line ending. */
  endingOf(line: number): number;
}

/** The lines from `from` up to `to`, of which there is at least one. */
export function blockOf(channel: LineChannel, from: number, to: number): LineBlock {
  return channel.mayBeDecoded(from, to) ? new DecodedBlock(channel, from, to) : new ArrivedBlock(channel, from, to);
}

class ArrivedBlock implements LineBlock {
  readonly bytes: Uint8Array;
  readonly #channel: LineChannel;
  readonly #base: number;
  /** Whether a control string may end in the block; null until it matters. */
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
    // Decoded content is never longer than the frame that it comes from.
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
