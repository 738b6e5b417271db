/**
 * How the steps beside this file write what the search reads. A copy of what the product had when they were released: like the
 * steps themselves it is never changed. When the product folds or cuts text in another way, a new step writes the index anew.
 */
import { type QueryExecutorProvider, sql } from 'kysely';
import { dialectOf } from './frozen-dialect.ts';

/** What of a jkit can be found by any part of a word. `tags` is a JSON list of texts. */
export interface SearchedRow {
  readonly number: number;
  readonly name: string;
  readonly tags: string;
  readonly publisher: string;
  readonly description: string;
}

/** Brings the words up to date with `rows`, one at least: those of a jkit that is not shared are deleted. */
export async function updateWords(
  transaction: QueryExecutorProvider,
  rows: readonly (SearchedRow & { readonly shared: number })[],
): Promise<void> {
  await deleteWords(
    transaction,
    rows.map(({ number }) => number),
  );
  const shared = rows.filter((row) => row.shared === 1);
  if (shared.length > 0) {
    await addTexts(transaction, shared);
    await addNameParts(transaction, shared);
  }
}

/** Writes the texts of jkits that have none yet, `rows` being one at least. */
export async function addTexts(transaction: QueryExecutorProvider, rows: readonly SearchedRow[]): Promise<void> {
  // In the order of SQLite's index, which writes out what it has gathered whenever a row comes before the last one.
  const newestFirst = rows.toSorted((one, other) => other.number - one.number);
  const texts = newestFirst.map(
    (row) =>
      sql`(${keyOf(transaction, row.number)}, ${searchText([row.name, ...tagsOf(row), row.publisher, row.description])})`,
  );
  await sql`insert into jkit_search (${keyColumn(transaction)}, text) values ${sql.join(texts)}`.execute(transaction);
}

async function addNameParts(transaction: QueryExecutorProvider, rows: readonly SearchedRow[]): Promise<void> {
  const parts = rows.flatMap(({ number, name }) => namePartsOf(name).map((part) => sql`(${number}, ${part})`));
  await sql`insert into jkit_name_parts (jkit, part) values ${sql.join(parts)}`.execute(transaction);
}

async function deleteWords(transaction: QueryExecutorProvider, jkits: readonly number[]): Promise<void> {
  const keys = jkits.map((jkit) => keyOf(transaction, jkit));
  await sql`delete from jkit_search where ${keyColumn(transaction)} in (${sql.join(keys)})`.execute(transaction);
  await sql`delete from jkit_name_parts where jkit in (${sql.join(jkits)})`.execute(transaction);
}

/** A full-text index of SQLite has no column for it but its row id. */
function keyColumn(queries: QueryExecutorProvider) {
  return sql.ref(dialectOf(queries) === 'postgres' ? 'jkit' : 'rowid');
}

/** On SQLite the number below zero: what is newer comes first there. */
function keyOf(queries: QueryExecutorProvider, jkit: number): number {
  return dialectOf(queries) === 'postgres' ? jkit : -jkit;
}

function tagsOf({ tags }: SearchedRow): readonly string[] {
  return JSON.parse(tags) as string[];
}

/** One text for all ways of writing it that differ in case or compatibility only (Unicode NFKC), Greek final sigma included. */
function fold(text: string): string {
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

/** Each word with a space before it, then each first letter with two: every part that is searched for has three characters. */
function searchText(fields: readonly string[]): string {
  const words = wordsOf(fold(fields.join(' ')));
  const initials = new Set(words.map((word) => String.fromCodePoint(word.codePointAt(0) ?? 0)));
  return [...words.map((word) => ` ${word}`), ...[...initials].map((initial) => `  ${initial}`)].join('');
}

/** A name from each of its words on. */
function namePartsOf(name: string): readonly string[] {
  const folded = fold(name);
  const starts = new Set([0, ...[...folded.matchAll(LETTERS)].map(({ index }) => index)]);
  for (const { index } of folded.matchAll(/(?<= )\S/gu)) {
    starts.add(index);
  }
  return [...new Set([...starts].map((start) => folded.slice(start)))];
}
