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
import { orUnavailable } from './database-failure.ts';

/** Prepared statements kept for the next call; the product has far fewer different ones. */
const CACHED_STATEMENTS = 256;

export function sqliteDialect(open: () => Promise<DatabaseSync>): Dialect {
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => new ImmediateSqliteDriver({ database: async () => preparing(await open()) }),
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

/** Takes the write lock at the start: a transaction that reads first and writes later could otherwise fail half-way. */
class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
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
  const statement: StatementSync = orUnavailable(() => database.prepare(sql));
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => orUnavailable(() => statement.all(...(parameters as SQLInputValue[]))),
    run: (parameters) => orUnavailable(() => statement.run(...(parameters as SQLInputValue[]))),
    // Its own statement: a cached one would be rewound when the same query runs while this one is being read.
    iterate: (parameters) => database.prepare(sql).iterate(...(parameters as SQLInputValue[])),
  };
}
