/**
 * How text is searched: folded so that case and width do not matter, cut into words, and written down so that every part of a
 * word that one may look for is at least three characters long, because that is what trigrams can find. Knows no database.
 */

/** One text for all ways of writing it that differ in case or compatibility only (Unicode NFKC), Greek final sigma included. */
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

/** Words of folded text: what is between spaces, and the runs of letters and digits inside of it. */
function wordsOf(folded: string): readonly string[] {
  const chunks = folded.split(' ').filter((chunk) => chunk !== '');
  return [...new Set(chunks.flatMap((chunk) => [chunk, ...(chunk.match(LETTERS) ?? [])]))];
}

/**
 * What is kept for searching: each word with a space before it, then each first letter with two. So a space and the two
 * letters that somebody typed find the words that begin with them, and two spaces and a letter those that begin with that.
 */
export function searchText(fields: readonly string[]): string {
  const words = wordsOf(fold(fields.join(' ')));
  const initials = new Set(words.map((word) => String.fromCodePoint(word.codePointAt(0) ?? 0)));
  return [...words.map((word) => ` ${word}`), ...[...initials].map((initial) => `  ${initial}`)].join('');
}

/**
 * Marks the text of a chip: three spaces in a row, which no other text has, and a character that nobody types. So jkits of one
 * type are found without looking at those of the other, however many there are.
 */
export const chipMark = '   \u0001';

/** The same for a chip. */
export function chipText(fields: readonly string[]): string {
  return `${searchText(fields)}${chipMark}`;
}

/** The part of a chip's name as it is kept: apart from those of others, since names have no control characters. */
export function chipNamePart(part: string): string {
  return `\u0001${part}`;
}

/** For each word of a query the text that has to be somewhere in a `searchText`; none where the query has no word. */
export function needlesOf(query: string): readonly string[] {
  const terms = new Set(fold(query).split(' '));
  terms.delete('');
  return [...terms].map((term) => {
    const { length } = [...term];
    return length > 2 ? term : length === 2 ? ` ${term}` : `  ${term}`;
  });
}

/** A name from each of its words on; a query that one of them begins with is the beginning of a word of the name. */
export function namePartsOf(name: string): readonly string[] {
  const folded = fold(name);
  const starts = new Set([0, ...[...folded.matchAll(LETTERS)].map(({ index }) => index)]);
  for (const { index } of folded.matchAll(/(?<= )\S/gu)) {
    starts.add(index);
  }
  return [...new Set([...starts].map((start) => folded.slice(start)))];
}
