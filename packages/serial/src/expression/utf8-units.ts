/** Reads the characters of UTF-8 text for a search. Colours (SGR sequences, ECMA-48) are skipped. */
import { sequenceLength } from '../visible-utf8.ts';

const ESCAPE = 0x1b;
const BRACKET = 0x5b;
const LETTER_M = 0x6d;
const REPLACEMENT = 0xfffd;

export interface TakenCharacter {
  /** Code point; U+FFFD for a byte that belongs to no valid sequence, null for a colour. */
  readonly code: number | null;
  /** Offset of the next character. */
  readonly end: number;
}

/** Reads the character in `bytes` at `at`, which is before `to`. */
export function nextCharacter(bytes: Uint8Array, at: number, to: number): TakenCharacter {
  const first = bytes[at] as number;
  if (first === ESCAPE) {
    const end = colourEnd(bytes, at, to);
    return end > at ? { code: null, end } : { code: first, end: at + 1 };
  }
  const length = sequenceLength(bytes, at);
  if (length === 0 || at + length > to) {
    return { code: REPLACEMENT, end: at + 1 };
  }
  // The first byte of a sequence of n bytes carries 7 − n bits; a single byte carries 7.
  let code = length === 1 ? first : first & (0x7f >> length);
  for (let index = 1; index < length; index++) {
    code = (code << 6) | ((bytes[at + index] as number) & 0x3f);
  }
  return { code, end: at + length };
}

/** Yields all characters from `from` up to `to`. Without `unicode`, those above U+FFFF come as two UTF-16 units. */
export function* charactersOf(bytes: Uint8Array, from: number, to: number, unicode: boolean): Generator<number, void> {
  for (let at = from; at < to; ) {
    const { code, end } = nextCharacter(bytes, at, to);
    if (code !== null && code > 0xffff && !unicode) {
      yield highSurrogate(code);
      yield lowSurrogate(code);
    } else if (code !== null) {
      yield code;
    }
    at = end;
  }
}

export function highSurrogate(code: number): number {
  return 0xd800 + ((code - 0x10000) >> 10);
}

export function lowSurrogate(code: number): number {
  return 0xdc00 + ((code - 0x10000) & 0x3ff);
}

/** Returns the end of the colour at `at`; `at` if there is no colour. */
function colourEnd(bytes: Uint8Array, at: number, to: number): number {
  if (bytes[at + 1] !== BRACKET) {
    return at;
  }
  for (let end = at + 2; end < to; end++) {
    const byte = bytes[end] as number;
    if (byte === LETTER_M) {
      return end + 1;
    }
    // Digits, `:` and `;` are neighbours in ASCII.
    if (byte < 0x30 || byte > 0x3b) {
      return at;
    }
  }
  return at;
}
