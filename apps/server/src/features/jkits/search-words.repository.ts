/** What the search reads: the words of every jkit that is shared, and of no other. Written in the transaction of the jkit. */
import { sql } from 'kysely';
import type { Queries } from '../../storage/database/database.ts';
import { dialectOf } from '../../storage/database/dialect.ts';
import type { JkitRow } from '../../storage/database/jkit-tables.ts';
import { namePartsOf, searchText } from './search-text.ts';

/** Brings the words up to date with `rows`: those of a jkit that is not shared (any more) go. */
export async function keepWords(transaction: Queries, rows: readonly JkitRow[]): Promise<void> {
  await forgetWords(
    transaction,
    rows.map(({ number }) => number),
  );
  const shared = rows.filter((row) => row.shared === 1);
  if (shared.length === 0) {
    return;
  }
  const texts = shared.map((row) => sql`(${row.number}, ${searchTextOf(row)})`);
  await sql`insert into jkit_search (${numberOf(transaction)}, text) values ${sql.join(texts)}`.execute(transaction);
  const parts = shared.flatMap(({ number, name }) => namePartsOf(name).map((part) => ({ jkit: number, part })));
  await transaction.insertInto('jkit_name_parts').values(parts).execute();
}

export async function forgetWords(transaction: Queries, jkits: readonly number[]): Promise<void> {
  const among = sql`${numberOf(transaction)} in (${sql.join(jkits)})`;
  await sql`delete from jkit_search where ${among}`.execute(transaction);
  await transaction.deleteFrom('jkit_name_parts').where('jkit', 'in', jkits).execute();
}

/** A full-text index of SQLite has no column for it but its row id. */
function numberOf(queries: Queries) {
  return sql.ref(dialectOf(queries) === 'postgres' ? 'jkit' : 'rowid');
}

function searchTextOf({ name, tags, publisher, description }: JkitRow): string {
  return searchText([name, ...(JSON.parse(tags) as string[]), publisher, description]);
}
