/** Version and size of a database, as it states them. */
import { sql } from 'kysely';
import type { Queries } from './database.ts';
import { dialectOf } from './dialect.ts';

export interface DatabaseFacts {
  /** Version of SQLite or PostgreSQL; null if the database does not answer. */
  readonly version: string | null;
  /** Bytes of the database; null likewise. */
  readonly size: number | null;
}

export async function databaseFacts(queries: Queries): Promise<DatabaseFacts> {
  const asked =
    dialectOf(queries) === 'postgres'
      ? sql<Row>`select current_setting('server_version') as version, pg_database_size(current_database()) as size`
      : sql<Row>`select sqlite_version() as version, page_count * page_size as size
          from pragma_page_count(), pragma_page_size()`;
  try {
    const { rows } = await asked.execute(queries);
    const [row] = rows;
    return row === undefined ? away : { version: row.version, size: Number(row.size) };
  } catch {
    // The call that reads the facts reports that, and the log has the reason.
    return away;
  }
}

interface Row {
  readonly version: string;
  readonly size: number | string | bigint;
}

const away: DatabaseFacts = { version: null, size: null };
