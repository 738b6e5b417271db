/** The words that the search reads, for shared jkits only. They are written in the transaction that writes the jkit. */

import { type Jkit, jkitTypes } from '@wirebench/contract';
import { checkChip } from '@wirebench/contract/chips';
import { checkDecoder } from '@wirebench/contract/decoders';
import { sql } from 'kysely';
import type { Queries } from '../../storage/database/database.ts';
import { dialectOf } from '../../storage/database/dialect.ts';
import type { JkitRow } from '../../storage/database/jkit-tables.ts';
import { markedNamePart, markedText, namePartsOf } from './search-text.ts';

/** Updates the words of `rows`. Words of jkits that are not shared are removed. */
export async function keepWords(transaction: Queries, rows: readonly JkitRow[]): Promise<void> {
  await forgetWords(
    transaction,
    rows.map(({ number }) => number),
  );
  const shared = rows.filter((row) => row.shared === 1);
  if (shared.length === 0) {
    return;
  }
  await addTexts(transaction, shared);
  await addNameParts(transaction, shared);
}

/** Adds the parts of names of jkits that have none yet. `rows` must not be empty. */
export async function addNameParts(
  transaction: Queries,
  rows: readonly Pick<JkitRow, 'number' | 'name' | 'type'>[],
): Promise<void> {
  const parts = rows.flatMap(({ number, name, type }) =>
    namePartsOf(name).map((part) => ({ jkit: number, part: markedNamePart(knownType(type), part) })),
  );
  await transaction.insertInto('jkit_name_parts').values(parts).execute();
}

/** The fields of a jkit that are searched by parts of words. */
type SearchedRow = Pick<JkitRow, 'number' | 'name' | 'type' | 'tags' | 'publisher' | 'description' | 'content'>;

/** Adds the texts of jkits that have none yet. `rows` must not be empty. */
export async function addTexts(transaction: Queries, rows: readonly SearchedRow[]): Promise<void> {
  // In the order of SQLite's index, which flushes its buffer whenever a row id is lower than the previous one.
  const newestFirst = rows.toSorted((one, other) => other.number - one.number);
  const texts = newestFirst.map((row) => sql`(${keyOf(transaction, row.number)}, ${searchTextOf(row)})`);
  await sql`insert into jkit_search (${keyColumn(transaction)}, text) values ${sql.join(texts)}`.execute(transaction);
}

export async function forgetWords(transaction: Queries, jkits: readonly number[]): Promise<void> {
  const keys = jkits.map((jkit) => keyOf(transaction, jkit));
  await sql`delete from jkit_search where ${keyColumn(transaction)} in (${sql.join(keys)})`.execute(transaction);
  await transaction.deleteFrom('jkit_name_parts').where('jkit', 'in', jkits).execute();
}

/** Returns the key column. A full-text index of SQLite has no other than its row id. */
function keyColumn(queries: Queries) {
  return sql.ref(dialectOf(queries) === 'postgres' ? 'jkit' : 'rowid');
}

/** Returns the key of a jkit. On SQLite it is the negated number, so that newer jkits come first. */
function keyOf(queries: Queries, jkit: number): number {
  return dialectOf(queries) === 'postgres' ? jkit : -jkit;
}

/**
 * Returns words of a chip's description by which it can be found, besides its JKit's name: part, maker, category,
 * addresses as `0x76` and `76`. Returns none for content that describes no chip, which only another program could have
 * stored.
 */
function chipWordsOf(content: string): readonly string[] {
  const chip = checkChip(content).content;
  if (chip === null) {
    return [];
  }
  const addresses = chip.addresses.map((address) => address.toString(16).padStart(2, '0'));
  return [
    chip.name,
    chip.manufacturer ?? '',
    chip.category,
    chip.bus,
    ...addresses.flatMap((address) => [`0x${address}`, address]),
  ];
}

/** Returns the protocol and the messages of a decoder; none for content that is no decoder. */
function decoderWordsOf(content: string): readonly string[] {
  const decoder = checkDecoder(content).content;
  return decoder === null
    ? []
    : [decoder.name, decoder.title, decoder.source ?? '', ...decoder.messages.map((message) => message.name)];
}

/** Returns the type of a stored jkit. One that only a newer version knows has no mark. */
function knownType(type: string): Jkit['type'] {
  return jkitTypes.find((one) => one === type) ?? 'uart';
}

const wordsOfContent = {
  uart: () => [],
  chip: chipWordsOf,
  decoder: decoderWordsOf,
} satisfies Record<Jkit['type'], (content: string) => readonly string[]>;

function searchTextOf({ name, type, tags, publisher, description, content }: SearchedRow): string {
  const fields = [name, ...(JSON.parse(tags) as string[]), publisher, description];
  const known = knownType(type);
  return markedText(known, [...fields, ...wordsOfContent[known](content)]);
}
