/**
 * Kysely's SQLite dialect on threads (decision 32): one thread writes, one transaction or single statement at a time;
 * others read. The event loop never waits for them.
 */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  RawNode,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { SqliteFile } from './open-sqlite.ts';
import { SqliteReaders } from './sqlite-readers.ts';
import { type Call, type Rows, SqliteThread, type StartRunner } from './sqlite-thread.ts';

/** @param startRunner Default: worker threads. */
export function sqliteDialect(file: SqliteFile, startRunner?: StartRunner): Dialect {
  return {
    createAdapter: () => new ThreadedSqliteAdapter(),
    createDriver: () => new ThreadedSqliteDriver(file, startRunner),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class ThreadedSqliteAdapter extends SqliteAdapter {
  /** SQLite rolls back schema changes like any other, so the migrator's transaction is its lock. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** Kysely need not queue, because the driver serializes writes. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class ThreadedSqliteDriver implements Driver {
  readonly #writer: Writer;
  readonly #readers: SqliteReaders;

  constructor(file: SqliteFile, startRunner?: StartRunner) {
    this.#writer = new Writer(file, startRunner);
    this.#readers = new SqliteReaders(file, startRunner);
  }

  async init(): Promise<void> {
    try {
      await this.#writer.run({ kind: 'open' });
    } catch (error) {
      await this.#writer[Symbol.asyncDispose]();
      throw error;
    }
  }

  async acquireConnection(): Promise<SqliteConnection> {
    return new SqliteConnection(this.#writer, this.#readers);
  }

  beginTransaction(connection: SqliteConnection): Promise<void> {
    return connection.begin();
  }

  commitTransaction(connection: SqliteConnection): Promise<void> {
    return connection.commit();
  }

  rollbackTransaction(connection: SqliteConnection): Promise<void> {
    return connection.rollback();
  }

  async releaseConnection(connection: SqliteConnection): Promise<void> {
    connection.release();
  }

  /** Closes the readers first: the last connection to close moves the log into the file. */
  async destroy(): Promise<void> {
    await this.#readers[Symbol.asyncDispose]();
    const release = await this.#writer.takeTurn();
    try {
      await this.#writer.run({ kind: 'close' });
      await this.#writer[Symbol.asyncDispose]();
    } finally {
      release();
    }
  }
}

/** The thread that writes, for one caller at a time. */
class Writer extends SqliteThread {
  #last = Promise.resolve();

  constructor(file: SqliteFile, startRunner?: StartRunner) {
    super({ file, access: 'write' }, startRunner);
  }

  /** Waits for the caller's turn, in order of calls. The caller ends its turn by calling the returned function. */
  async takeTurn(): Promise<() => void> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    return resolve;
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #writer: Writer;
  readonly #readers: SqliteReaders;
  /** Ends the turn of this connection's transaction; null outside a transaction. */
  #endTurn: (() => void) | null = null;

  constructor(writer: Writer, readers: SqliteReaders) {
    this.#writer = writer;
    this.#readers = readers;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, insertId, changes } = await this.#run(query);
    return {
      rows: rows as Row[],
      ...(insertId === undefined ? {} : { insertId }),
      ...(changes === undefined ? {} : { numAffectedRows: changes }),
    };
  }

  // biome-ignore lint/correctness/useYield: part of Kysely's interface; the product reads in batches.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Streams are not supported: read in batches');
  }

  /**
   * Begins a transaction with the write lock. Otherwise a transaction that reads first and writes later could fail
   * half-way.
   */
  async begin(): Promise<void> {
    this.#endTurn = await this.#writer.takeTurn();
    await this.#writer.run(statement('begin immediate', [], false));
  }

  async commit(): Promise<void> {
    await this.#writer.run(statement('commit', [], true));
  }

  /**
   * Rolls back, unless SQLite has already done so because the disk is full or failing
   * (https://sqlite.org/lang_transaction.html, section 3). A second rollback would fail and hide the first error.
   */
  async rollback(): Promise<void> {
    await this.#writer.run({ kind: 'rollback' });
  }

  release(): void {
    this.#endTurn?.();
    this.#endTurn = null;
  }

  async #run(query: CompiledQuery): Promise<Rows> {
    const { sql, parameters } = query;
    if (this.#endTurn !== null) {
      return this.#writer.run(statement(sql, parameters, true));
    }
    if (isRead(query)) {
      return this.#readers.read({ sql, parameters });
    }
    const endTurn = await this.#writer.takeTurn();
    try {
      return await this.#writer.run(statement(sql, parameters, false));
    } finally {
      endTurn();
    }
  }
}

function statement(sql: string, parameters: readonly unknown[], inTransaction: boolean): Call {
  return { kind: 'run', sql, parameters, inTransaction };
}

/**
 * Returns true if a statement may go to a read-only connection. Other statements may read too, but need not be fast.
 */
function isRead({ query, sql }: CompiledQuery): boolean {
  return SelectQueryNode.is(query) || (RawNode.is(query) && /^\s*(select|with)\b/i.test(sql));
}
