/**
 * The database of the product: opens it, migrates its schema, and checks that it answers. Repositories get its
 * `Kysely` instance. Only this folder knows which database it is.
 */
import { Kysely } from 'kysely';
import { type CommitWatch, watchCommits } from './open-sqlite.ts';
import { postgresDialect } from './postgres-dialect.ts';
import { migrate, requireCurrentSchema } from './schema.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import type { StartRunner } from './sqlite-thread.ts';
import type { Tables } from './tables.ts';

export type Queries = Kysely<Tables>;

export interface Database extends AsyncDisposable {
  readonly queries: Queries;
  /**
   * Returns a number that changes with every commit, including those of other processes. Null if only a query could
   * tell. It takes about a microsecond and never waits.
   */
  contentVersion(): number | null;
  /** Rejects if the database does not answer a read. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export type DatabaseOptions = SqliteDatabaseOptions | PostgresDatabaseOptions;

export interface SqliteDatabaseOptions {
  readonly path: string;
  /** Milliseconds that a write waits for another process. */
  readonly busyTimeout?: number;
  /** Runs the statements. Default: worker threads. */
  readonly startRunner?: StartRunner;
}

export interface PostgresDatabaseOptions {
  /** `postgres://…` */
  readonly url: string;
  /** Milliseconds that a statement may take, including waiting for locks. Default: 10 s. */
  readonly statementTimeout?: number;
}

/** Milliseconds that a request waits for a connection to PostgreSQL before it is refused with "try again". */
const CONNECT_TIMEOUT = 5_000;
const STATEMENT_TIMEOUT = 10_000;

/**
 * Opens a database for reading only. Neither its data nor its schema is changed.
 *
 * @throws SchemaVersionError if its schema is of another version.
 * @throws DatabaseUnavailableError if it does not answer.
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
  const { startRunner, ...file } = options;
  return sqliteDialect({ ...file, synchronous: 'full', readOnly: true }, startRunner);
}

/**
 * Opens the database and migrates it. Several processes may do so at once: one migrates, the others wait.
 *
 * @throws DatabaseUnavailableError if the database does not answer. Errors of opening and migrating pass through.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  return 'url' in options ? openOnPostgres(options) : openOnSqlite(options);
}

async function openOnSqlite({ startRunner, ...file }: SqliteDatabaseOptions): Promise<Database> {
  const queries: Queries = new Kysely<Tables>({
    dialect: sqliteDialect({ ...file, synchronous: 'full' }, startRunner),
  });
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
  // Separate connections without a time limit: a new index on a large table takes longer than a request may.
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
