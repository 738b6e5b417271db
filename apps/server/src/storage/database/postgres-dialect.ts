/** Kysely's PostgreSQL dialect on a pool of `pg`, with the product's errors. */
import {
  AbortedTransactionError,
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { withoutConflicts } from './conflicts.ts';
import { DatabaseUnavailableError, postgresFailure } from './database-failure.ts';
import { connect, openPool, type PostgresOptions } from './postgres-pool.ts';

export function postgresDialect(options: PostgresOptions): Dialect {
  return {
    createAdapter: () => new PlainPostgresAdapter(),
    createDriver: () => new PooledPostgresDriver(options),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/**
 * Leaves out the migration lock: migrations run in a transaction that already holds a lock (see `migrate`) and
 * releases it at its end.
 */
class PlainPostgresAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {
    // The transaction holds it.
  }

  override async releaseMigrationLock(): Promise<void> {
    // The end of the transaction releases it.
  }
}

class PooledPostgresDriver implements Driver {
  readonly #pool: Pool;

  constructor(options: PostgresOptions) {
    this.#pool = openPool(options);
  }

  async init(): Promise<void> {
    // The pool connects on demand.
  }

  async acquireConnection(): Promise<PostgresConnection> {
    return new PostgresConnection(await connect(this.#pool));
  }

  async beginTransaction(connection: DatabaseConnection, { isolationLevel }: TransactionSettings): Promise<void> {
    const level = isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`;
    await connection.executeQuery(CompiledQuery.raw(`begin${level}`));
  }

  async commitTransaction(connection: PostgresConnection): Promise<void> {
    // The commit of a transaction with a failed statement rolls it back without an error.
    if ((await connection.execute('commit', [])).command === 'ROLLBACK') {
      throw new AbortedTransactionError();
    }
  }

  async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    await connection.execute('rollback', []);
  }

  async releaseConnection(connection: PostgresConnection): Promise<void> {
    connection.release();
  }

  destroy(): Promise<void> {
    return this.#pool.end();
  }
}

class PostgresConnection implements DatabaseConnection {
  readonly #client: PoolClient;
  #broken = false;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    // Inside a transaction, a retry has to repeat the whole transaction, which a single statement cannot do.
    const alone = this.#client.getTransactionStatus() === 'I';
    const execute = () => this.execute(sql, parameters);
    const { command, rows, rowCount } = alone ? await withoutConflicts(execute) : await execute();
    const changes = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE';
    return { rows, ...(changes ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}) };
  }

  /** Executes a statement and translates errors into the product's. */
  async execute(sql: string, parameters: readonly unknown[]) {
    try {
      return await this.#client.query(sql, [...parameters]);
    } catch (error) {
      const failure = postgresFailure(error);
      this.#broken ||= failure instanceof DatabaseUnavailableError;
      throw failure;
    }
  }

  // biome-ignore lint/correctness/useYield: part of Kysely's interface; the product reads in batches.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Streams are not supported: read in batches');
  }

  /** Returns the connection to the pool. A broken one is closed, because its state is unknown. */
  release(): void {
    this.#client.release(this.#broken);
  }
}
