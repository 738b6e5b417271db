/**
 * Differences between the two databases for the steps beside this file. It is a copy of the product's code at their
 * release. Like the steps, it is never changed, even if the product's own code changes.
 */
import { PostgresAdapter, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';

export function dialectOf(queries: QueryExecutorProvider): 'sqlite' | 'postgres' {
  return queries.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}

/**
 * Returns a column type for text that is compared by its UTF-8 bytes, as SQLite does by default, and not by a
 * language's order.
 */
export function byteOrderedText(queries: QueryExecutorProvider): RawBuilder<unknown> {
  return dialectOf(queries) === 'postgres' ? sql`text collate "C"` : sql`text`;
}
