/** Differences between the two databases that matter to writers of queries. The drivers are beside this file. */
import {
  type Expression,
  PostgresAdapter,
  type QueryExecutorProvider,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely';

export type DialectName = 'sqlite' | 'postgres';

/** Returns the kind of the database behind `queries`. */
export function dialectOf(queries: QueryExecutorProvider): DialectName {
  return queries.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

/**
 * Builds the condition that `column` is one of `values`. The values are a single parameter, so that the statement is
 * the same for any number of them and is prepared once.
 */
export function isOneOf(
  queries: QueryExecutorProvider,
  column: Expression<string>,
  values: readonly string[],
): RawBuilder<SqlBool> {
  return dialectOf(queries) === 'postgres'
    ? sql`${column} = any(${[...values]}::text[])`
    : sql`${column} in (select value from json_each(${JSON.stringify(values)}))`;
}

/**
 * Holds the lock `name` until this transaction ends. Other transactions that ask for it wait, in every process.
 * SQLite has a single writer anyway. Later statements see everything that earlier holders wrote.
 */
export async function holdLock(transaction: QueryExecutorProvider, name: string): Promise<void> {
  if (dialectOf(transaction) === 'postgres') {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
  }
}
