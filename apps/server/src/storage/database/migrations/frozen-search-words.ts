/**
 * Writes the search index, for the steps beside this file. It is a copy of the product's code at their release and,
 * like the steps, is never changed. If the product folds or cuts text in another way, a new step has to rewrite the
 * index.
 */
import { type QueryExecutorProvider, sql } from 'kysely';
import { dialectOf } from './frozen-dialect.ts';

/** The fields of a jkit that are searched by parts of words. `tags` is a JSON list of texts. */
export interface SearchedRow {
  readonly number: number;
  readonly name: string;
  readonly tags: string;
  readonly publisher: string;
  readonly description: string;
}

/** Updates the words of `rows`, which must not be empty. Words of jkits that are not shared are deleted. */
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

/** Adds the texts of jkits that have none yet. `rows` must not be empty. */
export async function addTexts(transaction: QueryExecutorProvider, rows: readonly SearchedRow[]): Promise<void> {
  // In the order of SQLite's index, which flushes its buffer whenever a row id is lower than the previous one.
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

/** Returns the key column. A full-text index of SQLite has no other than its row id. */
function keyColumn(queries: QueryExecutorProvider) {
  return sql.ref(dialectOf(queries) === 'postgres' ? 'jkit' : 'rowid');
}

/** Returns the key of a jkit. On SQLite it is the negated number, so that newer jkits come first. */
function keyOf(queries: QueryExecutorProvider, jkit: number): number {
  return dialectOf(queries) === 'postgres' ? jkit : -jkit;
}

function tagsOf({ tags }: SearchedRow): readonly string[] {
  return JSON.parse(tags) as string[];
}

/**
 * Returns one form for all spellings that differ only in case or compatibility (Unicode NFKC), including the Greek
 * final sigma.
 */
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

/** Returns the words of folded text: the parts between spaces, and the runs of letters and digits inside them. */
function wordsOf(folded: string): readonly string[] {
  const chunks = folded.split(' ').filter((chunk) => chunk !== '');
  return [...new Set(chunks.flatMap((chunk) => [chunk, ...(chunk.match(LETTERS) ?? [])]))];
}

/**
 * Returns each word after one space, then each first letter after two, so that every searched part has three
 * characters.
 */
function searchText(fields: readonly string[]): string {
  const words = wordsOf(fold(fields.join(' ')));
  const initials = new Set(words.map((word) => String.fromCodePoint(word.codePointAt(0) ?? 0)));
  return [...words.map((word) => ` ${word}`), ...[...initials].map((initial) => `  ${initial}`)].join('');
}

/** Returns a name from each of its words on. */
function namePartsOf(name: string): readonly string[] {
  const folded = fold(name);
  const starts = new Set([0, ...[...folded.matchAll(LETTERS)].map(({ index }) => index)]);
  for (const { index } of folded.matchAll(/(?<= )\S/gu)) {
    starts.add(index);
  }
  return [...new Set([...starts].map((start) => folded.slice(start)))];
}
