/**
 * Lines of text that end with `\n`. Every `\r` right before the `\n` belongs to the ending. One `\r` right behind a
 * `\n` also belongs to it, if there was none before: some devices send LF CR.
 */
import { defineFraming } from './framing-definition.ts';
import type { Splitter } from './splitter.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** Longest ending, in bytes: the flags of a line have five bits for it. */
export const LONGEST_ENDING = 31;

export class NewlineSplitter implements Splitter {
  readonly gap: number | null;
  readonly unfinished = null;
  readonly decode = null;
  readonly fault = null;
  readonly decodedLength = 0;
  ending = 0;
  trailing = -1;
  /** Number of `\r` at the end of the line so far. */
  #returns = 0;

  constructor(gap: number | null = null) {
    this.gap = gap;
  }

  next(bytes: Uint8Array, from: number, to: number): number {
    this.trailing = -1;
    const at = bytes.indexOf(LINE_FEED, from);
    if (at === -1 || at >= to) {
      this.#returns = returnsBefore(bytes, from, to, this.#returns);
      this.ending = 0;
      return -1;
    }
    // Nearly every line has at most one `\r`, which is detected here without a call.
    const returns =
      at - 1 > from && bytes[at - 2] !== CARRIAGE_RETURN
        ? Number(bytes[at - 1] === CARRIAGE_RETURN)
        : returnsBefore(bytes, from, at, this.#returns);
    this.#returns = 0;
    this.ending = Math.min(returns + 1, LONGEST_ENDING);
    this.trailing = returns === 0 ? CARRIAGE_RETURN : -1;
    return at + 1;
  }

  restart(): void {
    this.#returns = 0;
    this.trailing = -1;
  }
}

/** Counts the `\r` that end at `to`. `earlier` is their number before `from`. */
function returnsBefore(bytes: Uint8Array, from: number, to: number, earlier: number): number {
  let at = to;
  while (at > from && bytes[at - 1] === CARRIAGE_RETURN) {
    at--;
  }
  return to - at + (at === from ? earlier : 0);
}

/**
 * Returns the length of the line ending of `text` in bytes: an LF with the CRs before it and one behind it. At most
 * 31.
 */
export function lineEndingLength(text: Uint8Array): number {
  const feed = text.at(-1) === CARRIAGE_RETURN ? text.length - 2 : text.length - 1;
  if (text[feed] !== LINE_FEED) {
    return 0;
  }
  return Math.min(returnsBefore(text, 0, feed, 0) + text.length - feed, LONGEST_ENDING);
}

export const newlineFraming = defineFraming({
  title: 'At a newline',
  use: 'Text. A carriage return beside the newline belongs to it.',
  defaults: {},
  fields: {},
  splitter: () => new NewlineSplitter(),
});
