/**
 * Text normalization of the search. Text is folded, so that case and width do not matter, and cut into words. Every
 * searchable part is stored with at least three characters, because trigrams cannot find shorter ones.
 */
import type { Jkit } from '@wirebench/contract';

/**
 * Returns one form for all spellings that differ only in case or compatibility (Unicode NFKC), including the Greek
 * final sigma.
 */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll('ς', 'σ')
    .trim()
    .replaceAll(/\s+/g, ' ');
}

const LETTERS = /[\p{L}\p{N}\p{M}]+/gu;

/** Returns the words of folded text: the parts between spaces, and the runs of letters and digits inside them. */
function wordsOf(folded: string): readonly string[] {
  const chunks = folded.split(' ').filter((chunk) => chunk !== '');
  return [...new Set(chunks.flatMap((chunk) => [chunk, ...(chunk.match(LETTERS) ?? [])]))];
}

/**
 * Returns the text that is stored for searching: each word after one space, then each first letter after two. A space
 * and two typed letters find words that begin with them. Two spaces and a letter find words that begin with it.
 */
export function searchText(fields: readonly string[]): string {
  const words = wordsOf(fold(fields.join(' ')));
  const initials = new Set(words.map((word) => String.fromCodePoint(word.codePointAt(0) ?? 0)));
  return [...words.map((word) => ` ${word}`), ...[...initials].map((initial) => `  ${initial}`)].join('');
}

/** Types whose jkits are marked. Messages have no mark: their texts were stored before there were other types. */
export const markedTypes = ['chip', 'decoder'] as const satisfies readonly Jkit['type'][];
export type MarkedType = (typeof markedTypes)[number];

/** A character of each type that users cannot type. */
const typeCharacters = { uart: '', chip: '\u0001', decoder: '\u0002' } as const satisfies Record<Jkit['type'], string>;

/**
 * Returns the mark of a type: three spaces in a row, which no other text has, and the character of the type. With it, a
 * search for one type skips the jkits of the others.
 */
export function markOf(type: MarkedType): string {
  return `   ${typeCharacters[type]}`;
}

/** Returns the text that is stored for a jkit. */
export function markedText(type: Jkit['type'], fields: readonly string[]): string {
  return type === 'uart' ? searchText(fields) : `${searchText(fields)}${markOf(type)}`;
}

/**
 * Returns the stored form of a part of a jkit's name. It differs between types, because names contain no control
 * characters.
 */
export function markedNamePart(type: Jkit['type'], part: string): string {
  return `${typeCharacters[type]}${part}`;
}

/** Returns the text that a `searchText` has to contain for each word of a query; none for a query without words. */
export function needlesOf(query: string): readonly string[] {
  const terms = new Set(fold(query).split(' '));
  terms.delete('');
  return [...terms].map((term) => {
    const { length } = [...term];
    return length > 2 ? term : length === 2 ? ` ${term}` : `  ${term}`;
  });
}

/**
 * Returns a name from each of its words on. A query that is the beginning of one of them is the beginning of a word
 * of the name.
 */
export function namePartsOf(name: string): readonly string[] {
  const folded = fold(name);
  const starts = new Set([0, ...[...folded.matchAll(LETTERS)].map(({ index }) => index)]);
  for (const { index } of folded.matchAll(/(?<= )\S/gu)) {
    starts.add(index);
  }
  return [...new Set([...starts].map((start) => folded.slice(start)))];
}
