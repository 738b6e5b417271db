/** Connections to PostgreSQL: how many, how long anything may take, numbers as numbers. Knows no query. */
import { type ClientBase, Pool, type PoolClient, types } from 'pg';
import { DatabaseUnavailableError } from './database-failure.ts';

export interface PostgresOptions {
  /** `postgres://…`; a query such as `?sslmode=verify-full` goes to the driver. */
  readonly url: string;
  /** Milliseconds that a connection may take to come about or to become free. */
  readonly connectTimeout: number;
  /** Milliseconds that a statement may take, waiting for locks included; null lets it take what it needs. */
  readonly statementTimeout: number | null;
  /** Refuses every statement that would write. */
  readonly readOnly?: boolean;
}

/** Of one process. PostgreSQL accepts 100 in all unless it is configured otherwise. */
const CONNECTIONS = 10;

/** Milliseconds over a statement's own time after which a server that says nothing counts as gone. */
const SILENCE = 5_000;

/** `bigint`, which `count(*)` gives, by its object id. Nothing here counts to 2⁵³. */
const INT8 = 20;

export function openPool({ url, connectTimeout, statementTimeout, readOnly = false }: PostgresOptions): Pool {
  const pool = new Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: connectTimeout,
    ...(statementTimeout === null ? {} : { query_timeout: statementTimeout + SILENCE }),
    keepAlive: true,
    application_name: 'wirebench',
    types: { getTypeParser: parserOf },
    onConnect: (client) => prepareSession(client, statementTimeout, readOnly),
  });
  // Whoever uses a connection that breaks gets the error from the query, and nobody misses an idle one. Without a listener
  // either would end the process.
  pool.on('error', ignore);
  pool.on('connect', (client) => client.on('error', ignore));
  return pool;
}

/** Throws `DatabaseUnavailableError`, whatever keeps a connection from coming about. */
export async function connect(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new DatabaseUnavailableError({ cause: error });
  }
}

/**
 * Settings of a session are statements here and not part of the start-up packet, where connection poolers refuse what they
 * do not know. They last as long as the session: behind a pooler in transaction mode another client would get them, so only a pooler in
 * session mode can be put in between. Compiling a query to machine code takes longer than any of ours runs.
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
  // See above: the query says it, or nobody asks.
}
