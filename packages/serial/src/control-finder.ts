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

/** Bytes that are tested one by one first. In text with controls the next one is near. */
const NEAR = 32;

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
    const aligned = from <= base ? base : base + ((from - base + NEAR + 3) & ~3);
    for (let at = from; at < aligned && at < length; at++) {
      const byte = bytes[at] as number;
      if (byte <= ESCAPE && isControl(byte)) {
        return at;
      }
    }
    const words = this.#words;
    let word = (aligned - base) >> 2;
    while (word < words.length && !hasControl(words[word] as number)) {
      word++;
    }
    let at = Math.max(from, base + word * 4);
    while (at < length && !isControl(bytes[at] as number)) {
      at++;
    }
    return Math.min(at, length);
  }
}

/**
 * Returns true if one of the four bytes of a word is a control byte: `(x - 1) & ~x` has the high bit of the lowest
 * byte that is 0.
 */
function hasControl(word: number): boolean {
  const escapes = word ^ ESCAPES;
  const backspaces = word ^ BACKSPACES;
  const bells = word ^ BELLS;
  return (
    ((((escapes - ONES) & ~escapes) | ((backspaces - ONES) & ~backspaces) | ((bells - ONES) & ~bells)) & HIGH_BITS) !==
    0
  );
}

const isControl = (byte: number) => byte === ESCAPE || byte === BACKSPACE || byte === BELL;
