/**
 * The database of the product: opens it, brings its schema up to date, says whether it answers. Repositories get the
 * `Kysely` inside; which database it is stays in this folder.
 */
import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { migrations } from './migrations/index.ts';
import { openSqlite } from './open-sqlite.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import type { Tables } from './tables.ts';

export type Queries = Kysely<Tables>;

export interface Database extends AsyncDisposable {
  readonly queries: Queries;
  /** Rejects when the database does not answer a read. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** The SQLite file. */
  readonly path: string;
  /** Milliseconds that a write waits for another process. */
  readonly busyTimeout?: number;
}

/**
 * Opens the database and migrates it. Several processes may do so at once: the migrator works in one transaction that
 * holds the write lock. Throws what the database says when it cannot be opened or migrated.
 */
export async function openDatabase({ path, busyTimeout }: DatabaseOptions): Promise<Database> {
  const open = () => openSqlite(path, { synchronous: 'full', ...(busyTimeout === undefined ? {} : { busyTimeout }) });
  const queries: Queries = new Kysely<Tables>({ dialect: sqliteDialect(open) });
  const close = () => queries.destroy();
  try {
    await migrate(queries);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    queries,
    check: async () => {
      await queries.selectFrom('feedback').select('id').limit(1).execute();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function migrate(queries: Queries): Promise<void> {
  const migrator = new Migrator({ db: queries, provider: { getMigrations: async () => ({ ...migrations }) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    throw error;
  }
}
