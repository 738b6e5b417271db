/**
 * Visible text of consecutive lines in one piece, for a search over all of it. One pass removes colours and sequences
 * that change no text. A line with overwritten text or a control string is read as `visible-lines.ts` reads it.
 */
import { hasControl, isControl } from './control-finder.ts';
import { CARRIAGE_RETURN, colourEnd, controlEnd, ESCAPE, NUL, OPEN_BRACKET } from './control-sequences.ts';
import type { LineChannel } from './line-channel.ts';
import { textEffect } from './visible-bytes.ts';
import { VisibleLines } from './visible-lines.ts';

/** Memory that is kept for the next lines, in bytes. */
const MAX_KEPT = 1 << 21;
const FIRST_SIZE = 1 << 16;
/** Bytes that are copied at once. */
const WORD = 4;

export class VisibleBlock {
  /** Visible bytes of all lines, each with its ending; good up to `length`. */
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(FIRST_SIZE);
  length = 0;
  #view = new DataView(this.bytes.buffer);
  /** Start of each line in `bytes`, and after the last line its end. */
  #starts = new Int32Array(0);
  #from = 0;

  /** Reads the received lines from `from` up to `to`, none of which is decoded. */
  read(channel: LineChannel, from: number, to: number): void {
    const base = channel.startOf(from);
    const raw = channel.ring.view(base, channel.endOf(to - 1));
    const words = new DataView(raw.buffer, raw.byteOffset, raw.length);
    this.#from = from;
    this.#reserve(raw.length, to - from);
    const starts = this.#starts;
    let lines: VisibleLines | null = null;
    let length = 0;
    let at = 0;
    for (let line = from; line < to; line++) {
      const start = length;
      const end = channel.endOf(line) - base;
      const textEnd = end - channel.endingOf(line);
      starts[line - from] = start;
      while (at < end) {
        const out = this.bytes;
        const view = this.#view;
        for (; at + WORD <= end; at += WORD, length += WORD) {
          const word = words.getInt32(at, true);
          if (hasControl(word)) {
            break;
          }
          view.setInt32(length, word, true);
        }
        while (at < end && !isControl(raw[at] as number)) {
          out[length++] = raw[at++] as number;
        }
        if (at === end) {
          break;
        }
        if (at >= textEnd) {
          // A control byte of the line ending.
          out[length++] = raw[at++] as number;
          continue;
        }
        const next = behindControl(raw, at, textEnd, length > start);
        if (next !== -1) {
          at = next;
          continue;
        }
        lines ??= new VisibleLines(channel, from, to);
        lines.read(line);
        length = start + lines.to - lines.from;
        // A line may grow by blanks that the cursor skipped. Its ending and the following lines need space.
        this.#grow(start, length + raw.length - textEnd);
        this.bytes.set(lines.bytes.subarray(lines.from, lines.to), start);
        this.bytes.set(raw.subarray(textEnd, end), length);
        length += end - textEnd;
        at = end;
      }
    }
    starts[to - from] = length;
    this.length = length;
  }

  /** Returns the start of a line in `bytes`. `to` counts as a line. */
  startOf(line: number): number {
    return this.#starts[line - this.#from] as number;
  }

  #reserve(bytes: number, lines: number): void {
    if (this.bytes.length < bytes || (this.bytes.length > MAX_KEPT && bytes <= MAX_KEPT)) {
      this.#use(new Uint8Array(Math.max(bytes, FIRST_SIZE)));
    }
    if (this.#starts.length <= lines) {
      this.#starts = new Int32Array(2 * lines + 1);
    }
  }

  /** Makes room for `size` bytes and keeps the first `kept`. */
  #grow(kept: number, size: number): void {
    if (size > this.bytes.length) {
      const before = this.bytes;
      this.#use(new Uint8Array(2 * size));
      this.bytes.set(before.subarray(0, kept));
    }
  }

  #use(bytes: Uint8Array<ArrayBuffer>): void {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}

/**
 * Returns the offset after the control function at `at` of a line whose text ends at `to`. Returns -1 if the line
 * must be read as a whole.
 * @param shows True: the line has visible bytes before it.
 */
function behindControl(raw: Uint8Array, at: number, to: number, shows: boolean): number {
  if (raw[at] === NUL || (raw[at] === CARRIAGE_RETURN && !shows)) {
    return at + 1;
  }
  if (raw[at] !== ESCAPE || raw[at + 1] !== OPEN_BRACKET || at + 1 >= to) {
    return -1;
  }
  const colour = colourEnd(raw, at);
  if (colour > at && colour <= to) {
    return colour;
  }
  const end = controlEnd(raw, at, to);
  const effect = textEffect(raw, at, end);
  return effect === 'changes' || (effect === 'changes-written' && shows) ? -1 : end;
}
