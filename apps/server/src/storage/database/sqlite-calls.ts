/** One open SQLite file, and the calls that `sqlite-thread.ts` sends to it. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { BoundedMap } from '../../bounded-map.ts';
import { openSqlite, openSqliteReader } from './open-sqlite.ts';
import type { Call, ConnectionData, Failure, Outcome, Rows, Statement } from './sqlite-thread.ts';

/** Maximum number of cached prepared statements. The product has far fewer distinct ones. */
const CACHED_STATEMENTS = 256;

/** SQLITE_ABORT_ROLLBACK (https://sqlite.org/rescode.html): the statement's transaction was rolled back. */
const TRANSACTION_GONE = { code: 'ERR_SQLITE_ERROR', errcode: 516 };

interface Prepared {
  readonly statement: StatementSync;
  readonly givesRows: boolean;
}

/** Opens its file with the first call, except for `close`. */
export class SqliteCalls {
  readonly #data: ConnectionData;
  readonly #prepared = new BoundedMap<string, Prepared>({ capacity: CACHED_STATEMENTS });
  #database: DatabaseSync | null = null;

  constructor(data: ConnectionData) {
    this.#data = data;
  }

  /** Carries out calls in order. A failed call does not stop the following ones. */
  async carryOut(calls: readonly Call[]): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const call of calls) {
      outcomes.push(await this.#carryOut(call).catch((error: unknown) => ({ failure: failureOf(error) })));
    }
    return outcomes;
  }

  async #carryOut(call: Call): Promise<Rows> {
    if (call.kind === 'close') {
      this.#database?.close();
      return { rows: [] };
    }
    const on = await this.#openOnce();
    if (call.kind === 'run') {
      if (call.inTransaction && !on.isTransaction) {
        throw Object.assign(new Error('The transaction was already rolled back'), TRANSACTION_GONE);
      }
      return this.#run(on, call);
    }
    if (call.kind === 'rollback' && on.isTransaction) {
      on.exec('rollback');
    }
    return { rows: [] };
  }

  async #openOnce(): Promise<DatabaseSync> {
    const { file, access } = this.#data;
    this.#database ??=
      access === 'read' || file.readOnly === true ? openSqliteReader(file) : await openSqlite(file.path, file);
    return this.#database;
  }

  #run(on: DatabaseSync, { sql, parameters }: Statement): Rows {
    const { statement, givesRows } = this.#prepare(on, sql);
    const values = parameters as SQLInputValue[];
    if (givesRows) {
      return { rows: statement.all(...values) };
    }
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], changes: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  #prepare(on: DatabaseSync, sql: string): Prepared {
    const cached = this.#prepared.get(sql);
    if (cached !== undefined) {
      return cached;
    }
    const statement = on.prepare(sql);
    const givesRows = statement.columns().length > 0;
    // The result of `run` contains the last inserted row id, and full-text indexes use numbers beyond 2⁵³. Without
    // this setting, every later statement would fail, including the rollback.
    statement.setReadBigInts(!givesRows);
    this.#prepared.set(sql, { statement, givesRows });
    return { statement, givesRows };
  }
}

function failureOf(error: unknown): Failure {
  const details: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(error instanceof Error ? error : {})) {
    if (typeof value === 'string' || typeof value === 'number') {
      details[name] = value;
    }
  }
  return { message: error instanceof Error ? error.message : String(error), details };
}
