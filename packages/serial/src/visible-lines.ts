/**
 * What is visible of lines that follow each other, one after the other: the text that find, filters and levels look at. Most lines are
 * given as they lie in the ring. Only what a board sends is read as a terminal would read it; see `visible-bytes.ts`.
 */
import { afterColours, BACKSPACE, BELL, ESCAPE } from './control-sequences.ts';
import { blockOf, type LineBlock } from './line-bytes.ts';
import type { LineChannel } from './line-channel.ts';
import { colourStart, hasControls, visibleBytes } from './visible-bytes.ts';

const CARRIAGE_RETURN = 0x0d;

export class VisibleLines {
  /** The text of the line that was read last is in `bytes`, from `from` up to `to`. */
  bytes: Uint8Array;
  from = 0;
  to = 0;
  /** Whether the text of the line that was read last is a copy, because control functions were taken out of it. */
  copied = false;
  /** Whether the line that was read last begins with a colour. */
  coloured = false;
  /** Whether any of the lines may have control functions. */
  readonly mayHaveControls: boolean;
  readonly #block: LineBlock;
  readonly #bytes: Uint8Array;
  readonly #mostBytes: number;
  /** Line after the one read last, and where it starts. */
  #next: number;
  #nextStart: number;

  /** @param from first line. @param to line after the last one. @param mostBytes of a line that are looked at. */
  constructor(channel: LineChannel, from: number, to: number, mostBytes = Number.POSITIVE_INFINITY) {
    const block = blockOf(channel, from, to);
    const { bytes } = block;
    this.#block = block;
    this.#bytes = bytes;
    this.#mostBytes = mostBytes;
    this.#next = from;
    this.#nextStart = block.startOf(from);
    this.bytes = bytes;
    this.mayHaveControls =
      channel.identity.direction === 'received' &&
      (bytes.includes(ESCAPE) || bytes.includes(BACKSPACE) || bytes.includes(BELL));
  }

  /** First byte of a line, as it lies in the ring. */
  firstByteOf(line: number): number | undefined {
    return this.#bytes[this.#startOf(line)];
  }

  /** Reads a line, which is after the one read before. */
  read(line: number): void {
    const bytes = this.#bytes;
    const start = this.#startOf(line);
    const next = this.#block.endOf(line);
    this.#next = line + 1;
    this.#nextStart = next;
    let from = start;
    let to = Math.min(next - this.#block.endingOf(line), start + this.#mostBytes);
    this.bytes = bytes;
    this.copied = false;
    this.coloured = false;
    if (this.mayHaveControls && hasControls(bytes, from, to)) {
      const text = this.#block.textStartOf(line);
      const end = to;
      from = afterColours(bytes, text, end);
      to = colourStart(bytes, from, end);
      this.coloured = from > text;
      if (hasControls(bytes, from, to)) {
        this.bytes = visibleBytes(bytes.subarray(text, end));
        this.copied = true;
        from = 0;
        to = this.bytes.length;
      }
    }
    while (from < to && this.bytes[from] === CARRIAGE_RETURN) {
      from++;
    }
    while (to > from && this.bytes[to - 1] === CARRIAGE_RETURN) {
      to--;
    }
    this.from = from;
    this.to = to;
  }

  #startOf(line: number): number {
    return line === this.#next ? this.#nextStart : this.#block.startOf(line);
  }
}
