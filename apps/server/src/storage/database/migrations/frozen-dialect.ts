/**
 * In what the two databases differ for the steps beside this file. A copy of what the product had when they were released: like
 * the steps themselves it is never changed, whatever becomes of the product's own.
 */
import { PostgresAdapter, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';

export function dialectOf(queries: QueryExecutorProvider): 'sqlite' | 'postgres' {
  return queries.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

/** A column type for text that is compared byte by byte of its UTF-8, as SQLite does by default, and not as a language sorts. */
export function byteOrderedText(queries: QueryExecutorProvider): RawBuilder<unknown> {
  return dialectOf(queries) === 'postgres' ? sql`text collate "C"` : sql`text`;
}
