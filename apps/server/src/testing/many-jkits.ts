/** Fills a database with many jkits quickly, for tests and measurements of searches and lists. */
import { randomUUIDv7 } from 'node:crypto';
import type { NewJkit } from '@wirebench/contract';
import { sql } from 'kysely';
import { fold } from '../features/jkits/search-text.ts';
import { mergeSearchIndex } from '../features/jkits/search-upkeep.repository.ts';
import { addNameParts, addTexts } from '../features/jkits/search-words.repository.ts';
import type { Queries } from '../storage/database/database.ts';
import { dialectOf } from '../storage/database/dialect.ts';
import { inTransaction } from '../storage/database/transaction.ts';

export interface SeededJkit extends NewJkit {
  /** A user name. The owner is `subject-of-{publisher}`. */
  readonly publisher: string;
}

/** Rows per statement: SQLite accepts at most 32,766 values in one. */
const BATCH = 500;

/**
 * Saves jkits in this order, regardless of limits. A million take some minutes. PostgreSQL has to be opened with a
 * `statementTimeout` that allows building an index. `vacuum analyze` afterwards gives the planner the statistics of a
 * database that has grown slowly.
 */
export async function saveManyJkits(queries: Queries, jkits: Iterable<SeededJkit>): Promise<void> {
  await inTransaction(queries, (transaction) =>
    withoutIndexes(transaction, async () => {
      const before = await newestNumber(transaction);
      const isPostgres = dialectOf(transaction) === 'postgres';
      let batch: SeededJkit[] = [];
      for (const jkit of jkits) {
        if (batch.push(jkit) === BATCH) {
          await save(transaction, batch, isPostgres);
          batch = [];
        }
      }
      await save(transaction, batch, isPostgres);
      if (!isPostgres) {
        await addTextsAfter(transaction, before);
      }
    }),
  );
  // A server would have merged the index by now.
  await mergeSearchIndex(queries);
}

async function newestNumber(transaction: Queries): Promise<number> {
  const { newest } = await transaction
    .selectFrom('jkits')
    .select(({ fn }) => fn.max('number').as('newest'))
    .executeTakeFirstOrThrow();
  return newest ?? 0;
}

/** @param withTexts False if the texts are added later, in another order. */
async function save(transaction: Queries, jkits: readonly SeededJkit[], withTexts: boolean): Promise<void> {
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
    .returning(['number', 'name', 'type', 'tags', 'publisher', 'description', 'content', 'shared'])
    .execute();
  const shared = rows.filter((row) => row.shared === 1);
  if (shared.length > 0) {
    await addNameParts(transaction, shared);
    if (withTexts) {
      await addTexts(transaction, shared);
    }
  }
}

/**
 * Adds the texts on SQLite, newest first, which is the order of its index. In the other order, the index would be
 * flushed and merged continuously.
 */
async function addTextsAfter(transaction: Queries, number: number): Promise<void> {
  let below = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const rows = await transaction
      .selectFrom('jkits')
      .select(['number', 'name', 'type', 'tags', 'publisher', 'description', 'content'])
      .where('shared', '=', 1)
      .where('number', '>', number)
      .where('number', '<', below)
      .orderBy('number', 'desc')
      .limit(BATCH)
      .execute();
    const oldest = rows.at(-1);
    if (oldest === undefined) {
      return;
    }
    await addTexts(transaction, rows);
    below = oldest.number;
  }
}

/** Drops the indexes during `work`. Rebuilding them takes a fraction of the time of updating them row by row. */
async function withoutIndexes(transaction: Queries, work: () => Promise<void>): Promise<void> {
  const { rows } = await (dialectOf(transaction) === 'postgres'
    ? sql<Index>`
        select indexname as name, indexdef as definition from pg_indexes
        where schemaname = current_schema() and (indexname = 'jkit_name_parts_in_order' or indexdef like '%gin_trgm_ops%')`
    : sql<Index>`
        select name, sql as definition from sqlite_master where type = 'index' and name = 'jkit_name_parts_in_order'`
  ).execute(transaction);
  for (const { name } of rows) {
    await sql`drop index ${sql.id(name)}`.execute(transaction);
  }
  await work();
  for (const { definition } of rows) {
    await sql.raw(definition).execute(transaction);
  }
}

interface Index {
  readonly name: string;
  readonly definition: string;
}
