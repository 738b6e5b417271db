/**
 * Finds the control bytes in text that a terminal obeys: ESC, BS, BEL, NUL, and each CR that is not beside an LF. It tests
 * four bytes at a time, because most text has no such byte.
 */
import { BACKSPACE, BELL, CARRIAGE_RETURN, ESCAPE, LINE_FEED, NUL } from './control-sequences.ts';

const ONES = 0x01010101;
const HIGH_BITS = 0x80808080;
const ESCAPES = ESCAPE * ONES;
const BACKSPACES = BACKSPACE * ONES;
const BELLS = BELL * ONES;
const RETURNS = CARRIAGE_RETURN * ONES;

const PRINTED = 0x20;
const BELOW_PRINTED = PRINTED * ONES;

export class ControlFinder {
  /** Number of bytes to search. */
  readonly length: number;
  readonly #bytes: Uint8Array;
  readonly #words: Int32Array;
  /** Index of the first byte of the first word: words are aligned in memory. */
  readonly #base: number;

  constructor(bytes: Uint8Array) {
    const base = Math.min(bytes.length, -bytes.byteOffset & 3);
    this.length = bytes.length;
    this.#bytes = bytes;
    this.#base = base;
    this.#words = new Int32Array(
      bytes.buffer,
      base === bytes.length ? 0 : bytes.byteOffset + base,
      (bytes.length - base) >> 2,
    );
  }

  /** Returns the index of the first control byte from `from` on; `length` without one. */
  next(from: number): number {
    const { length } = this;
    const base = this.#base;
    const bytes = this.#bytes;
    const words = this.#words;
    const behind = from <= base ? 0 : (from - base + 3) >> 2;
    const aligned = Math.min(length, base + 4 * behind);
    for (let at = from; at < aligned; at++) {
      if (isObeyed(bytes, at)) {
        return at;
      }
    }
    for (let word = behind; word < words.length; word++) {
      const value = words[word] as number;
      if (((value - BELOW_PRINTED) & ~value & HIGH_BITS) === 0) {
        continue;
      }
      const begin = base + 4 * word;
      const returns = returnsIn(value);
      if (!hasOtherControl(value) && (returns === 0 || this.#isLineEnd(begin, returns))) {
        continue;
      }
      for (let at = Math.max(from, begin); at < begin + 4; at++) {
        if (isObeyed(bytes, at)) {
          return at;
        }
      }
    }
    for (let at = Math.max(from, base + 4 * words.length); at < length; at++) {
      if (isObeyed(bytes, at)) {
        return at;
      }
    }
    return length;
  }

  /** Returns true if a word has one CR, right before an LF. Most lines with a CR end so. */
  #isLineEnd(begin: number, returns: number): boolean {
    const lowest = returns & -returns;
    return returns === lowest && this.#bytes[begin + ((31 - Math.clz32(lowest)) >> 3) + 1] === LINE_FEED;
  }
}

/**
 * Returns true if one of the four bytes of a word is a control byte: `(x - 1) & ~x` has the high bit of the lowest
 * byte that is 0. Most words have no byte below `PRINTED`. The same subtraction tests that for all controls at once.
 */
export function hasControl(word: number): boolean {
  return ((word - BELOW_PRINTED) & ~word & HIGH_BITS) !== 0 && (hasOtherControl(word) || returnsIn(word) !== 0);
}

/** Returns true if one of the four bytes is ESC, BS, BEL or NUL. */
function hasOtherControl(word: number): boolean {
  const escapes = word ^ ESCAPES;
  const backspaces = word ^ BACKSPACES;
  const bells = word ^ BELLS;
  return (
    ((((word - ONES) & ~word) |
      ((escapes - ONES) & ~escapes) |
      ((backspaces - ONES) & ~backspaces) |
      ((bells - ONES) & ~bells)) &
      HIGH_BITS) !==
    0
  );
}

/** Returns a mask with the high bit of the first byte that is a CR, and of some others behind it; 0 without a CR. */
function returnsIn(word: number): number {
  const returns = word ^ RETURNS;
  return (returns - ONES) & ~returns & HIGH_BITS;
}

/** Bytes that a terminal obeys in a line of text. Without them all of a line is visible. */
export const obeyedBytes: readonly number[] = [NUL, ESCAPE, BACKSPACE, BELL, CARRIAGE_RETURN];

/** Returns true for NUL, ESC, BS, BEL and CR. */
export const isControl = (byte: number): boolean =>
  byte === NUL || byte === ESCAPE || byte === BACKSPACE || byte === BELL || byte === CARRIAGE_RETURN;

/** Returns true if a terminal obeys the byte at `at`. A CR beside an LF is half of a line ending. */
const isObeyed = (bytes: Uint8Array, at: number): boolean =>
  isControl(bytes[at] as number) && (bytes[at] !== CARRIAGE_RETURN || movesToMargin(bytes, at));

/** Returns true if the CR at `at` moves to the left margin. Beside an LF, it is half of a line ending. */
export const movesToMargin = (bytes: Uint8Array, at: number): boolean =>
  bytes[at + 1] !== LINE_FEED && bytes[at - 1] !== LINE_FEED;
