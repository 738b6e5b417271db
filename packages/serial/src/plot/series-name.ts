/**
 * Finds the name in front of a `:` or `=`. A name is a word, several words (`Variable 1`), or anything in quotes. It
 * may have a unit in brackets (`W.AvgPow(W)`, `temp [°C]`).
 */
import { EDGE, kindAt, LETTER, NAME } from './plot-bytes.ts';

const SPACE = 0x20;
const QUOTE = 0x22;
const OPEN = 0x28;
const CLOSE = 0x29;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
/**
 * Bytes of the longest name: 64 letters of two bytes each, more than a legend shows in a line. More words in front of a colon are a
 * sentence, which makes no curve.
 */
const LONGEST_NAME = 128;
/** Most words of a name. */
export const MAX_WORDS = 4;

export class SeriesName {
  start = 0;
  end = 0;
  /** True: the last found name contains blanks. */
  severalWords = false;

  /**
   * Looks for a name that ends before `to` and begins at `from` or later. Returns true if it has found one.
   *
   * @param severalWords True: the name may have several words.
   */
  find(bytes: Uint8Array, from: number, to: number, severalWords: boolean): boolean {
    let end = to;
    while (end > from && bytes[end - 1] === SPACE) {
      end--;
    }
    this.end = end;
    this.severalWords = false;
    if (bytes[end - 1] === QUOTE && end - 1 > from) {
      return this.#quoted(bytes, from, end - 1);
    }
    const least = Math.max(from, end - LONGEST_NAME - 1);
    let start = wordStart(bytes, least, bracketStart(bytes, least, end));
    if (severalWords) {
      start = this.#firstWord(bytes, least, start);
    }
    if (start >= end || end - start > LONGEST_NAME || !(kindAt(bytes, start) & LETTER)) {
      return false;
    }
    this.start = start;
    return start === from || (kindAt(bytes, start - 1) & EDGE) !== 0;
  }

  #quoted(bytes: Uint8Array, from: number, end: number): boolean {
    let start = end;
    while (start > from && bytes[start - 1] !== QUOTE && end - start <= LONGEST_NAME) {
      start--;
    }
    this.start = start;
    this.end = end;
    return start > from && start < end && bytes[start - 1] === QUOTE && end - start <= LONGEST_NAME;
  }

  /**
   * Goes back over the words before `start`, each separated by one blank. A number can only be the last word of a
   * name, so that `Sample 7 temp` gives `temp`.
   */
  #firstWord(bytes: Uint8Array, from: number, start: number): number {
    let first = start;
    for (let words = 1; words < MAX_WORDS; words++) {
      if (first - 1 <= from || bytes[first - 1] !== SPACE) {
        break;
      }
      const before = wordStart(bytes, from, first - 1);
      if (before === first - 1 || !(kindAt(bytes, before) & LETTER)) {
        break;
      }
      if (before > from && !(kindAt(bytes, before - 1) & EDGE)) {
        break;
      }
      first = before;
      this.severalWords = true;
    }
    return first;
  }
}

/** Returns the start of the word that ends at `end`. */
export function wordStart(bytes: Uint8Array, from: number, end: number): number {
  let start = end;
  while (start > from && kindAt(bytes, start - 1) & NAME) {
    start--;
  }
  return start;
}

/** Returns the start of brackets at the end of a name, with the blank in front of them; `end` without brackets. */
function bracketStart(bytes: Uint8Array, from: number, end: number): number {
  const close = bytes[end - 1];
  if (close !== CLOSE && close !== CLOSE_BRACKET) {
    return end;
  }
  const open = close === CLOSE ? OPEN : OPEN_BRACKET;
  for (let at = end - 2; at > from; at--) {
    if (bytes[at] === open) {
      return bytes[at - 1] === SPACE ? at - 1 : at;
    }
    if (bytes[at] !== SPACE && kindAt(bytes, at) & EDGE) {
      return end;
    }
  }
  return end;
}
