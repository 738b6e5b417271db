/** Lines of text: each ends with `\n`, and the `\r` of a `\r\n` belongs to the ending. */
import { defineFraming } from './framing-definition.ts';
import type { Splitter } from './splitter.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

export class NewlineSplitter implements Splitter {
  readonly gap: number | null;
  readonly unfinished = null;
  readonly decode = null;
  readonly fault = null;
  readonly decodedLength = 0;
  ending = 0;
  /** The last byte of the frame so far is `\r`. */
  #afterReturn = false;

  constructor(gap: number | null = null) {
    this.gap = gap;
  }

  next(bytes: Uint8Array, from: number, to: number): number {
    const at = bytes.indexOf(LINE_FEED, from);
    if (at === -1 || at >= to) {
      this.#afterReturn = bytes[to - 1] === CARRIAGE_RETURN;
      this.ending = 0;
      return -1;
    }
    const paired = at > from ? bytes[at - 1] === CARRIAGE_RETURN : this.#afterReturn;
    this.#afterReturn = false;
    this.ending = paired ? 2 : 1;
    return at + 1;
  }

  restart(): void {
    this.#afterReturn = false;
  }
}

/** Bytes of the line ending that `text` ends with, 0 to 2. @param afterReturn whether `text` goes on behind a `\r`. */
export function lineEndingLength(text: Uint8Array, afterReturn = false): number {
  if (text.at(-1) !== LINE_FEED) {
    return 0;
  }
  const paired = text.length > 1 ? text.at(-2) === CARRIAGE_RETURN : afterReturn;
  return paired ? 2 : 1;
}

export const endsWithReturn = (text: Uint8Array): boolean => text.at(-1) === CARRIAGE_RETURN;

export const newlineFraming = defineFraming({
  title: 'At a newline',
  use: 'Text. A carriage return before the newline belongs to it.',
  defaults: {},
  fields: {},
  splitter: () => new NewlineSplitter(),
});
