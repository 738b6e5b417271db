/**
 * Finds the control bytes in text that a terminal obeys: ESC, BS and BEL. It tests four bytes at a time, because most
 * text has no such byte.
 */
import { BACKSPACE, BELL, ESCAPE } from './control-sequences.ts';

const ONES = 0x01010101;
const HIGH_BITS = 0x80808080;
const ESCAPES = ESCAPE * ONES;
const BACKSPACES = BACKSPACE * ONES;
const BELLS = BELL * ONES;

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
      if (isControl(bytes[at] as number)) {
        return at;
      }
    }
    let word = behind;
    while (word < words.length && !hasControl(words[word] as number)) {
      word++;
    }
    let at = Math.max(from, base + 4 * word);
    while (at < length && !isControl(bytes[at] as number)) {
      at++;
    }
    return Math.min(at, length);
  }
}

/**
 * Returns true if one of the four bytes of a word is a control byte: `(x - 1) & ~x` has the high bit of the lowest
 * byte that is 0. Most words have no byte below `PRINTED`. The same subtraction tests that for all controls at once.
 */
export function hasControl(word: number): boolean {
  if (((word - BELOW_PRINTED) & ~word & HIGH_BITS) === 0) {
    return false;
  }
  const escapes = word ^ ESCAPES;
  const backspaces = word ^ BACKSPACES;
  const bells = word ^ BELLS;
  return (
    ((((escapes - ONES) & ~escapes) | ((backspaces - ONES) & ~backspaces) | ((bells - ONES) & ~bells)) & HIGH_BITS) !==
    0
  );
}

export const isControl = (byte: number): boolean => byte === ESCAPE || byte === BACKSPACE || byte === BELL;
