/**
 * The database of the product: opens it, brings its schema up to date, says whether it answers. Repositories get the
 * `Kysely` inside; which database it is stays in this folder.
 */
import { Kysely } from 'kysely';
import { type CommitWatch, watchCommits } from './open-sqlite.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { migrate, requireCurrentSchema } from './schema.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import type { Tables } from './tables.ts';

export type Queries = Kysely<Tables>;

export interface Database extends AsyncDisposable {
  readonly queries: Queries;
  /**
   * A number that changes with every commit, also those of other processes; null where only a query would tell. Costs about a
   * microsecond and waits for nobody.
   */
  contentVersion(): number | null;
  /** Rejects when the database does not answer a read. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export type DatabaseOptions = SqliteDatabaseOptions | PostgresDatabaseOptions;

export interface SqliteDatabaseOptions {
  /** The SQLite file. */
  readonly path: string;
  /** Milliseconds that a write waits for another process. */
  readonly busyTimeout?: number;
}

export interface PostgresDatabaseOptions {
  /** `postgres://…` */
  readonly url: string;
  /** Milliseconds that a statement may take, waiting for locks included; 10 s without it. */
  readonly statementTimeout?: number;
}

/** Milliseconds that a request waits for a connection to PostgreSQL before it is refused with "try again". */
const CONNECT_TIMEOUT = 5_000;
const STATEMENT_TIMEOUT = 10_000;

/**
 * Opens a database for reading alone. Nothing of it is changed, and its schema neither.
 *
 * @throws SchemaVersionError when its schema is another version's.
 * @throws DatabaseUnavailableError when it does not answer.
 */
export async function openDatabaseForReading(options: DatabaseOptions): Promise<Database> {
  const queries = new Kysely<Tables>({ dialect: readingDialect(options) });
  try {
    await requireCurrentSchema(queries);
    return databaseOf(queries);
  } catch (error) {
    await queries.destroy();
    throw error;
  }
}

function readingDialect(options: DatabaseOptions) {
  if ('url' in options) {
    const { url, statementTimeout = STATEMENT_TIMEOUT } = options;
    return postgresDialect({ url, connectTimeout: CONNECT_TIMEOUT, statementTimeout, readOnly: true });
  }
  return sqliteDialect({ ...options, synchronous: 'full', readOnly: true });
}

/**
 * Opens the database and migrates it. Several processes may do so at once: one migrates, the others wait for it. Throws
 * what the database says when it cannot be opened or migrated, `DatabaseUnavailableError` when it does not answer.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return 'url' in options ? openOnPostgres(options) : openOnSqlite(options);
}

async function openOnSqlite({ path, busyTimeout }: SqliteDatabaseOptions): Promise<Database> {
  const file = { path, synchronous: 'full' as const, ...(busyTimeout === undefined ? {} : { busyTimeout }) };
  const queries: Queries = new Kysely<Tables>({ dialect: sqliteDialect(file) });
  try {
    await migrate(queries);
    return databaseOf(queries, watchCommits(file.path));
  } catch (error) {
    await queries.destroy();
    throw error;
  }
}

async function openOnPostgres({ url, statementTimeout = STATEMENT_TIMEOUT }: PostgresDatabaseOptions) {
  const connectTimeout = CONNECT_TIMEOUT;
  // Connections of their own: a new index on a large table takes longer than any request may.
  const unlimited: Queries = new Kysely({ dialect: postgresDialect({ url, connectTimeout, statementTimeout: null }) });
  try {
    await migrate(unlimited);
  } finally {
    await unlimited.destroy();
  }
  return databaseOf(new Kysely<Tables>({ dialect: postgresDialect({ url, connectTimeout, statementTimeout }) }));
}

function databaseOf(queries: Queries, commits?: CommitWatch): Database {
  const close = async () => {
    commits?.[Symbol.dispose]();
    await queries.destroy();
  };
  return {
    queries,
    contentVersion: () => commits?.version() ?? null,
    check: async () => {
      await queries.selectFrom('feedback').select('id').limit(1).execute();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
