/** Decides if a piece of text is meant for people, by the text alone. The reader of the source judges its position. */

/** One string of the sources and its line. */
export interface VisibleString {
  readonly line: number;
  readonly text: string;
}

const letters = /\p{L}/u;

/** Joins the lines of a text without the source's indentation. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Detects style sheets, scripts and queries in strings. */
function looksLikeCode(text: string): boolean {
  return /[;{]\s*\n|=> |^\s*(?:select|insert|update|delete|create|alter|drop|pragma|with|begin|vacuum)\b.*(?:\b(?:from|into|set|table|index)\b|=)/i.test(
    text,
  );
}

/** Removes the values in braces. */
const withoutValues = (text: string): string => text.replaceAll(/\{[^}]*\}/g, ' ');

/** Returns true for text with letters; for places that only people read. */
export const hasWords = (text: string): boolean => letters.test(withoutValues(text));

/**
 * Returns true for text that reads as prose: several words, or one capitalised word. For places that also hold class
 * names, keys, paths and codes, which are neither.
 */
export function readsAsProse(text: string): boolean {
  const line = oneLine(withoutValues(text));
  if (looksLikeCode(text)) {
    return false;
  }
  const words = line.split(' ').filter((word) => /^[("'“‘]?\p{L}[\p{L}’'-]*[).,:;!?…"'”’]*$/u.test(word));
  return /^\p{Lu}\p{Ll}+[.:!?…]?$/u.test(line) || (words.length >= 2 && words.some((word) => /\p{Ll}{2}/u.test(word)));
}
