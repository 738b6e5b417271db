/**
 * The visible text of consecutive lines, one after the other, for find, filters and levels. Most lines are returned
 * as they lie in the ring. Only lines that a board has sent are read as a terminal would read them; see
 * `visible-bytes.ts`.
 */
import { ControlFinder } from './control-finder.ts';
import { afterColours, CARRIAGE_RETURN } from './control-sequences.ts';
import { blockOf, type LineBlock } from './line-bytes.ts';
import type { LineChannel } from './line-channel.ts';
import { colourStart, stripControls, visibleBytes } from './visible-bytes.ts';

export class VisibleLines {
  /** Holds the text of the last read line, from `from` up to `to`. */
  bytes: Uint8Array;
  from = 0;
  to = 0;
  /** True: the text of the last read line is a copy, because control functions were removed. */
  copied = false;
  /** True: the last read line begins with a colour. */
  coloured = false;
  /** True: some of the lines may have control functions. */
  readonly mayHaveControls: boolean;
  readonly #block: LineBlock;
  readonly #bytes: Uint8Array;
  readonly #maxBytes: number;
  /** Searches an empty array if the lines are not read as a terminal would read them. */
  readonly #controls: ControlFinder;
  /** First control byte from the last read line on, or behind it; the number of bytes without one. */
  #control: number;
  /** Buffer for the visible bytes of one line. */
  #visible = new Uint8Array(256);
  /** Line after the last read one. `#nextStart` is its offset. */
  #next: number;
  #nextStart: number;

  /**
   * @param from First line.
   * @param to Line after the last one.
   * @param maxBytes First bytes of a line that are read.
   */
  constructor(channel: LineChannel, from: number, to: number, maxBytes = Number.POSITIVE_INFINITY) {
    const block = blockOf(channel, from, to);
    const { bytes } = block;
    this.#block = block;
    this.#bytes = bytes;
    this.#maxBytes = maxBytes;
    this.#next = from;
    this.#nextStart = block.startOf(from);
    this.bytes = bytes;
    this.#controls = new ControlFinder(channel.identity.direction === 'received' ? bytes : bytes.subarray(0, 0));
    this.#control = this.#controls.next(0);
    this.mayHaveControls = this.#control < this.#controls.length;
  }

  /** Returns the first byte of a line, as it lies in the ring. */
  firstByteOf(line: number): number | undefined {
    return this.#bytes[this.#startOf(line)];
  }

  /** Reads a line, which must come after the previously read one. */
  read(line: number): void {
    const bytes = this.#bytes;
    const start = this.#startOf(line);
    const next = this.#block.endOf(line);
    this.#next = line + 1;
    this.#nextStart = next;
    let from = start;
    let to = Math.min(next - this.#block.endingOf(line), start + this.#maxBytes);
    this.bytes = bytes;
    this.copied = false;
    this.coloured = false;
    if (this.mayHaveControls) {
      this.#seekControl(start);
      if (this.#control < to) {
        const text = this.#block.textStartOf(line);
        const end = to;
        from = afterColours(bytes, text, end);
        to = colourStart(bytes, from, end);
        this.coloured = from > text;
        this.#seekControl(from);
        if (this.#control < to) {
          to = this.#copyVisible(from, to, text, end);
          from = 0;
        }
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

  /** Copies the visible bytes between the colours around a line, or else of all its text. Returns their number. */
  #copyVisible(from: number, to: number, text: number, end: number): number {
    if (this.#visible.length < to - from) {
      this.#visible = new Uint8Array((to - from) * 2);
    }
    const length = stripControls(this.#bytes, from, to, this.#visible);
    this.bytes = length === -1 ? visibleBytes(this.#bytes.subarray(text, end)) : this.#visible;
    this.copied = true;
    return length === -1 ? this.bytes.length : length;
  }

  #seekControl(from: number): void {
    if (this.#control < from) {
      this.#control = this.#controls.next(from);
    }
  }

  #startOf(line: number): number {
    return line === this.#next ? this.#nextStart : this.#block.startOf(line);
  }
}
