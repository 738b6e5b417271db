/** The thread of `sqlite-thread.ts`. */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { BoundedMap } from '../../bounded-map.ts';
import { openSqlite, openSqliteReader } from './open-sqlite.ts';
import type { Batch, Call, Failure, Outcome, Rows, Statement, ThreadData } from './sqlite-thread.ts';

/** Maximum number of cached prepared statements. The product has far fewer distinct ones. */
const CACHED_STATEMENTS = 256;

/** SQLITE_ABORT_ROLLBACK (https://sqlite.org/rescode.html): the statement's transaction was rolled back. */
const TRANSACTION_GONE = { code: 'ERR_SQLITE_ERROR', errcode: 516 };

interface Prepared {
  readonly statement: StatementSync;
  readonly givesRows: boolean;
}

const { file, access } = workerData as ThreadData;
const prepared = new BoundedMap<string, Prepared>({ capacity: CACHED_STATEMENTS });
let database: DatabaseSync | null = null;

async function openOnce(): Promise<DatabaseSync> {
  database ??= access === 'read' || file.readOnly === true ? openSqliteReader(file) : await openSqlite(file.path, file);
  return database;
}

function prepare(on: DatabaseSync, sql: string): Prepared {
  const cached = prepared.get(sql);
  if (cached !== undefined) {
    return cached;
  }
  const statement = on.prepare(sql);
  const givesRows = statement.columns().length > 0;
  // The result of `run` contains the last inserted row id, and full-text indexes use numbers beyond 2⁵³. Without this
  // setting, every later statement would fail, including the rollback.
  statement.setReadBigInts(!givesRows);
  prepared.set(sql, { statement, givesRows });
  return { statement, givesRows };
}

function run(on: DatabaseSync, { sql, parameters }: Statement): Rows {
  const { statement, givesRows } = prepare(on, sql);
  const values = parameters as SQLInputValue[];
  if (givesRows) {
    return { rows: statement.all(...values) };
  }
  const { changes, lastInsertRowid } = statement.run(...values);
  return { rows: [], changes: BigInt(changes), insertId: BigInt(lastInsertRowid) };
}

async function carryOut(call: Call): Promise<Rows> {
  if (call.kind === 'close') {
    database?.close();
    return { rows: [] };
  }
  const on = await openOnce();
  if (call.kind === 'run') {
    if (call.inTransaction && !on.isTransaction) {
      throw Object.assign(new Error('The transaction was already rolled back'), TRANSACTION_GONE);
    }
    return run(on, call);
  }
  if (call.kind === 'rollback' && on.isTransaction) {
    on.exec('rollback');
  }
  return { rows: [] };
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

parentPort?.on('message', async ({ id, calls }: Batch) => {
  const outcomes: Outcome[] = [];
  for (const call of calls) {
    outcomes.push(await carryOut(call).catch((error: unknown) => ({ failure: failureOf(error) })));
  }
  parentPort?.postMessage({ id, outcomes });
});
