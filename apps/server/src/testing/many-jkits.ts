/** Fills a database with jkits faster than anybody saves them: what searches and lists are tried and measured on. */
import { randomUUIDv7 } from 'node:crypto';
import type { NewJkit } from '@wirebench/contract';
import { sql } from 'kysely';
import { fold } from '../features/jkits/search-text.ts';
import { mergeSearchIndex } from '../features/jkits/search-upkeep.repository.ts';
import { keepWords } from '../features/jkits/search-words.repository.ts';
import type { Queries } from '../storage/database/database.ts';
import { dialectOf } from '../storage/database/dialect.ts';
import { inTransaction } from '../storage/database/transaction.ts';

export interface SeededJkit extends NewJkit {
  /** A user name; the owner is `subject-of-{publisher}`. */
  readonly publisher: string;
}

/** Rows of a statement: SQLite takes no more than 32,766 values in one. */
const BATCH = 500;

/**
 * Saves them in this order, with no regard for anybody's limit. 100,000 take 10 to 30 seconds. On PostgreSQL the database has
 * to be opened with a `statementTimeout` that lets an index be built, and `vacuum analyze` afterwards tells the planner what
 * one that grew by and by would know.
 */
export async function saveManyJkits(queries: Queries, jkits: Iterable<SeededJkit>): Promise<void> {
  await inTransaction(queries, (transaction) =>
    withoutTrigrams(transaction, async () => {
      let batch: SeededJkit[] = [];
      for (const jkit of jkits) {
        if (batch.push(jkit) === BATCH) {
          await save(transaction, batch);
          batch = [];
        }
      }
      await save(transaction, batch);
    }),
  );
  // As a server would have by now.
  await mergeSearchIndex(queries);
}

async function save(transaction: Queries, jkits: readonly SeededJkit[]): Promise<void> {
  if (jkits.length === 0) {
    return;
  }
  const at = '2026-11-20T12:00:00.000Z';
  const rows = await transaction
    .insertInto('jkits')
    .values(
      jkits.map(({ publisher, shared, tags, ...jkit }) => ({
        ...jkit,
        id: randomUUIDv7(),
        owner: `subject-of-${publisher}`,
        publisher,
        name_key: fold(jkit.name),
        shared: shared ? 1 : 0,
        tags: JSON.stringify(tags),
        created_at: at,
        updated_at: at,
      })),
    )
    .returningAll()
    .execute();
  await keepWords(transaction, rows);
}

/** PostgreSQL builds this index in a tenth of the time that it takes to add to it row by row. */
async function withoutTrigrams(transaction: Queries, work: () => Promise<void>): Promise<void> {
  if (dialectOf(transaction) !== 'postgres') {
    return work();
  }
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename = 'jkit_search' and indexdef like '%gin_trgm_ops%'`.execute(transaction);
  for (const { name } of rows) {
    await sql`drop index ${sql.id(name)}`.execute(transaction);
  }
  await work();
  for (const { definition } of rows) {
    await sql.raw(definition).execute(transaction);
  }
}
