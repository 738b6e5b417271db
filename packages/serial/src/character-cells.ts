/**
 * Number of cells that a terminal gives to a character: 2 for East Asian wide characters (Unicode UAX 11), 0 for
 * combining marks, else 1.
 */

const decoder = new TextDecoder();
const combining = /^[\p{Mn}\p{Me}\u200b-\u200d]$/u;
const FIRST_COMBINING = 0x300;

/** First and last code points of wide characters. */
const wide = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
] as const;

/** @param bytes UTF-8 of one character, or one byte that is not part of a character. */
export function cellsOf(bytes: Uint8Array): 0 | 1 | 2 {
  if (bytes.length < 2) {
    return 1;
  }
  const character = String.fromCodePoint(decoder.decode(bytes).codePointAt(0) ?? 0);
  const code = character.codePointAt(0) ?? 0;
  if (code < FIRST_COMBINING) {
    return 1;
  }
  if (combining.test(character)) {
    return 0;
  }
  return wide.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}
