/**
 * Kysely's SQLite dialect on the `node:sqlite` that is built into Node. There is one connection; Kysely queues queries and
 * transactions on it. Knows no tables.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Kysely,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely';
import { onSqlite } from './database-failure.ts';

/** Prepared statements kept for the next call; the product has far fewer different ones. */
const CACHED_STATEMENTS = 256;

export function sqliteDialect(open: () => Promise<DatabaseSync>): Dialect {
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => new ImmediateSqliteDriver(open),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** SQLite rolls back changes of a schema like any other, which makes the migrator's transaction its lock. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class ImmediateSqliteDriver extends SqliteDriver {
  readonly #isTransaction: () => boolean;

  constructor(open: () => Promise<DatabaseSync>) {
    let database: DatabaseSync | null = null;
    super({
      database: async () => {
        database = await open();
        return preparing(database);
      },
    });
    this.#isTransaction = () => database?.isTransaction === true;
  }

  /** Takes the write lock at the start: a transaction that reads first and writes later could otherwise fail half-way. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /**
   * SQLite has rolled back by itself where the disk is full or fails (https://sqlite.org/lang_transaction.html, section 3).
   * To ask for it again would be an error in the place of the one that says so.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#isTransaction()) {
      await super.rollbackTransaction(connection);
    }
  }
}

function preparing(database: DatabaseSync): SqliteDatabase {
  const cache = new Map<string, SqliteStatement>();
  return {
    prepare(sql) {
      const cached = cache.get(sql);
      if (cached !== undefined) {
        return cached;
      }
      const statement = statementOf(database, sql);
      if (cache.size >= CACHED_STATEMENTS) {
        cache.clear();
      }
      cache.set(sql, statement);
      return statement;
    },
    close: () => database.close(),
  };
}

function statementOf(database: DatabaseSync, sql: string): SqliteStatement {
  const statement: StatementSync = onSqlite(() => database.prepare(sql));
  const reader = statement.columns().length > 0;
  // What `run` gives back has the row that was inserted last, and full-text indexes number theirs beyond 2⁵³. Without this
  // every later statement fails, the rollback included.
  statement.setReadBigInts(!reader);
  return {
    reader,
    all: (parameters) => onSqlite(() => statement.all(...(parameters as SQLInputValue[]))),
    run: (parameters) => onSqlite(() => statement.run(...(parameters as SQLInputValue[]))),
    // Its own statement: a cached one would be rewound when the same query runs while this one is being read.
    iterate: (parameters) => database.prepare(sql).iterate(...(parameters as SQLInputValue[])),
  };
}
