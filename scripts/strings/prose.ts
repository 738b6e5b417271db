/** Whether a piece of text is meant for people. Knows text only: where it is in a source is judged by the reader of the source. */

/** What one string of the sources says, and where. */
export interface VisibleString {
  readonly line: number;
  readonly text: string;
}

const letters = /\p{L}/u;

/** One line, without the indentation of the source. */
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Style sheets, scripts and queries that are kept in strings. */
function looksLikeCode(text: string): boolean {
  return /[;{]\s*\n|=> |^\s*(?:select|insert|update|delete|create|alter|drop|pragma|with|begin|vacuum)\b.*(?:\b(?:from|into|set|table|index)\b|=)/i.test(
    text,
  );
}

/** Text without the values in it, which are in braces. */
const withoutValues = (text: string): string => text.replaceAll(/\{[^}]*\}/g, ' ');

/** Any text with letters in it, for places that only people read. */
export const hasWords = (text: string): boolean => letters.test(withoutValues(text));

/**
 * Text that reads as prose, for places that hold anything: several words, or one that starts with a capital. Names of classes,
 * keys, paths and codes are neither.
 */
export function readsAsProse(text: string): boolean {
  const line = oneLine(withoutValues(text));
  if (looksLikeCode(text)) {
    return false;
  }
  const words = line.split(' ').filter((word) => /^[("'“‘]?\p{L}[\p{L}’'-]*[).,:;!?…"'”’]*$/u.test(word));
  return /^\p{Lu}\p{Ll}+[.:!?…]?$/u.test(line) || (words.length >= 2 && words.some((word) => /\p{Ll}{2}/u.test(word)));
}
