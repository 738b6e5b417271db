/** Characters and words of a row's text, in UTF-16 units. */
import type { ColumnRange } from './log-selection.ts';

const plain = /^[\t\x20-\x7e]*$/;
/** Characters that end a word for a double click. Those inside of paths, addresses and numbers do not. */
const separators = /[\s()[\]{}<>"'`,;|]/u;
/** Older browsers have no segmenter. They get code points. */
const graphemes =
  typeof Intl.Segmenter === 'function' ? new Intl.Segmenter(undefined, { granularity: 'grapheme' }) : null;

let lastText = '';
let lastBounds: readonly number[] = [0];

/** Returns the positions between characters, 0 and the length of `text` included. A character may have several units. */
export function charactersOf(text: string): readonly number[] {
  if (text !== lastText) {
    lastText = text;
    lastBounds = plain.test(text) ? Array.from({ length: text.length + 1 }, (_, index) => index) : boundsOf(text);
  }
  return lastBounds;
}

function boundsOf(text: string): readonly number[] {
  if (graphemes !== null) {
    return [...[...graphemes.segment(text)].map(({ index }) => index), text.length];
  }
  let at = 0;
  return [0, ...[...text].map((point) => (at += point.length))];
}

/** Returns the word at a unit of `text`, or the run of separators there. */
export function wordAt(text: string, unit: number): ColumnRange {
  const at = Math.min(Math.max(0, unit), text.length - 1);
  if (at < 0) {
    return { start: 0, end: 0 };
  }
  const character = text[at] ?? '';
  const isJoined = separators.test(character)
    ? (other: string) => other === character
    : (other: string) => !separators.test(other);
  let start = at;
  while (start > 0 && isJoined(text[start - 1] ?? '')) {
    start--;
  }
  let end = at + 1;
  while (end < text.length && isJoined(text[end] ?? '')) {
    end++;
  }
  return { start, end };
}

/** Returns the position of the next (1) or previous (−1) character. Null at the end of `text`. */
export function nextCharacter(text: string, column: number, step: 1 | -1): number | null {
  const bounds = charactersOf(text);
  return (step === 1 ? bounds.find((bound) => bound > column) : bounds.findLast((bound) => bound < column)) ?? null;
}
