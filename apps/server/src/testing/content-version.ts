/** Detects commits to a database by anybody, without reading its tables. */
import { sql } from 'kysely';
import type { Database } from '../storage/database/database.ts';

/**
 * Returns a text that differs from the one before if there was a commit in between. It may differ without one: all
 * databases of a PostgreSQL server share the next transaction id. Transactions that only read have none (PostgreSQL 15,
 * 9.27.11, `pg_current_snapshot`).
 */
export async function contentVersion(database: Database): Promise<string> {
  const version = database.contentVersion();
  if (version !== null) {
    return String(version);
  }
  const { rows } = await sql<{ next: string }>`
    select pg_snapshot_xmax(pg_current_snapshot())::text as next`.execute(database.queries);
  return rows[0]?.next ?? '';
}
