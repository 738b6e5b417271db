/**
 * What is visible of lines that follow each other, one after the other: the text that find, filters and levels look at. Most lines are
 * given as they lie in the ring. Only what a board sends is read as a terminal would read it; see `visible-bytes.ts`.
 */
import { ControlFinder } from './control-finder.ts';
import { afterColours } from './control-sequences.ts';
import { blockOf, type LineBlock } from './line-bytes.ts';
import type { LineChannel } from './line-channel.ts';
import { colourStart, stripControls, visibleBytes } from './visible-bytes.ts';

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
  /** Finds nothing in lines that are not read as a terminal would read them. */
  readonly #controls: ControlFinder;
  /** The first control byte from the line read last on, or from behind it; the number of bytes if there is none. */
  #control: number;
  /** Takes what is visible of one line after the other. */
  #visible = new Uint8Array(256);
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
    this.#controls = new ControlFinder(channel.identity.direction === 'received' ? bytes : bytes.subarray(0, 0));
    this.#control = this.#controls.next(0);
    this.mayHaveControls = this.#control < this.#controls.length;
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
