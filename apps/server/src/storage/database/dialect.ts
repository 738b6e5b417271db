/** Everything in which the two databases differ for those who write queries; their drivers are beside this file. */
import {
  type Expression,
  PostgresAdapter,
  type QueryExecutorProvider,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely';

export type DialectName = 'sqlite' | 'postgres';

/** Which database `queries` go to. */
export function dialectOf(queries: QueryExecutorProvider): DialectName {
  return queries.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

/**
 * Whether `column` is one of `values`, which are one parameter together: the statement is the same however many there are, and
 * is prepared once.
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
 * Keeps other transactions that ask for the lock called `name` waiting until this one ends, on every process. SQLite has one
 * writer at a time anyway. Statements after this one see everything that the holders before did.
 */
export async function holdLock(transaction: QueryExecutorProvider, name: string): Promise<void> {
  if (dialectOf(transaction) === 'postgres') {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
  }
}
