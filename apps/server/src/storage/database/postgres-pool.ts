/** Connections to PostgreSQL: their number, time limits, and parsing of numbers. */
import { type ClientBase, Pool, type PoolClient, types } from 'pg';
import { DatabaseUnavailableError } from './database-failure.ts';
import { newestStep } from './migrations/index.ts';

export interface PostgresOptions {
  /** `postgres://…`; a query such as `?sslmode=verify-full` goes to the driver. */
  readonly url: string;
  /** Milliseconds to establish a connection or to wait for a free one. */
  readonly connectTimeout: number;
  /** Milliseconds that a statement may take, including waiting for locks; null sets no limit. */
  readonly statementTimeout: number | null;
  /** True: refuses every statement that would write. */
  readonly readOnly?: boolean;
}

/** Name of this version's connections. Servers from before names of steps are just `wirebench`. */
export const applicationName = `wirebench ${newestStep}`;

/** Connections per process. PostgreSQL accepts 100 in all by default. */
const CONNECTIONS = 10;

/** Milliseconds beyond a statement's limit after which a silent server counts as gone. */
const SILENCE = 5_000;

/** Object id of `bigint`, the type of `count(*)`. No count here reaches 2⁵³. */
const INT8 = 20;

export function openPool({ url, connectTimeout, statementTimeout, readOnly = false }: PostgresOptions): Pool {
  const pool = new Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: connectTimeout,
    ...(statementTimeout === null ? {} : { query_timeout: statementTimeout + SILENCE }),
    keepAlive: true,
    // Other versions recognise servers of this one by it, also while these are idle.
    application_name: applicationName,
    min: 1,
    types: { getTypeParser: parserOf },
    onConnect: (client) => prepareSession(client, statementTimeout, readOnly),
  });
  // The query on a broken connection gets its error, and a broken idle connection does not matter. Without a
  // listener, either error would end the process.
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

/**
 * Returns a connection of the pool.
 *
 * @throws DatabaseUnavailableError if no connection is available, for any reason.
 */
export async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new DatabaseUnavailableError({ cause: error });
  }
}

/**
 * Sets up a session. The settings are statements and not part of the start-up packet, in which connection poolers
 * refuse unknown settings. They last as long as the session. A pooler in transaction mode would pass them to other
 * clients, so only one in session mode may be used. JIT compilation is off, because it takes longer than any of our
 * queries.
 */
async function prepareSession(client: ClientBase, statementTimeout: number | null, readOnly: boolean): Promise<void> {
  const timeout = statementTimeout ?? 0;
  const access = readOnly ? '; set default_transaction_read_only = on' : '';
  await client.query(
    `set statement_timeout = ${timeout}; set idle_in_transaction_session_timeout = ${timeout}; set jit = off${access}`,
  );
}

const parserOf: typeof types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
  oid === INT8 && format !== 'binary' ? Number : types.getTypeParser(oid, format as 'text');

function ignore(): void {
  // See above: the error reaches its query, or does not matter.
}
