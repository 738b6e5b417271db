/**
 * What the error of a database driver means to the product: the database is away (temporary, answered with 503), a
 * constraint was kept (a rule's answer), two transactions got in each other's way (tried again). Everything else is a fault
 * of ours and passes through as it is.
 */

/**
 * The database cannot be reached or written at the moment. Nothing of the transaction was kept; only where a connection
 * broke during the commit itself is that unknown.
 */
export class DatabaseUnavailableError extends Error {
  readonly reason: 'away' | 'full';

  constructor(options: ErrorOptions, reason: 'away' | 'full' = 'away') {
    super(
      reason === 'full' ? 'The disk of the database is full' : 'The database is not available at the moment',
      options,
    );
    this.name = 'DatabaseUnavailableError';
    this.reason = reason;
  }
}

/** What kept a row out: another one with the same key, or one that it names and that is not there. */
export type Constraint = 'unique' | 'foreign-key';

/** The database refused a row. A transaction that met this is over: PostgreSQL takes no further statement in it. */
export class ConstraintError extends Error {
  readonly constraint: Constraint;

  constructor(constraint: Constraint, options: ErrorOptions) {
    super(`A ${constraint} constraint rejects this row`, options);
    this.name = 'ConstraintError';
    this.constraint = constraint;
  }
}

/** Transactions that ran at the same time had no order; the same work can succeed when it is done again. */
export class ConflictError extends Error {
  constructor(options: ErrorOptions) {
    super('Another transaction got in first', options);
    this.name = 'ConflictError';
  }
}

/**
 * Primary result codes of SQLite (https://sqlite.org/rescode.html) that are about the file, the disk or other processes:
 * ABORT (of a transaction that is gone), BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN, PROTOCOL.
 */
const SQLITE_AWAY = new Set([4, 5, 6, 8, 10, 13, 14, 15]);

/** FULL, and IOERR_SHMSIZE (an extended code): no room for the index of the write-ahead log. */
const SQLITE_FULL = new Set([13, 4_874]);

/** Extended result codes of SQLite: CONSTRAINT_PRIMARYKEY, CONSTRAINT_UNIQUE, CONSTRAINT_FOREIGNKEY. */
const SQLITE_CONSTRAINTS = new Map<number, Constraint>([
  [1555, 'unique'],
  [2067, 'unique'],
  [787, 'foreign-key'],
]);

/** Runs `action` on SQLite and throws the product's error in place of the driver's, where there is one. */
export function onSqlite<Result>(action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw sqliteFailure(error);
  }
}

/** Whether SQLite failed because of the file, the disk or another process, and not because of the query. */
export function isSqliteAway(error: unknown): boolean {
  const code = sqliteCode(error);
  // The low byte of an extended result code is the primary one.
  return code !== null && SQLITE_AWAY.has(code & 0xff);
}

/** The product's error in place of the one that a statement on SQLite failed with, where there is one. */
export function sqliteFailure(error: unknown): unknown {
  if (isSqliteAway(error)) {
    return new DatabaseUnavailableError({ cause: error }, SQLITE_FULL.has(sqliteCode(error) ?? 0) ? 'full' : 'away');
  }
  const constraint = SQLITE_CONSTRAINTS.get(sqliteCode(error) ?? 0);
  return constraint === undefined ? error : new ConstraintError(constraint, { cause: error });
}

function sqliteCode(error: unknown): number | null {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return error instanceof Error && code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' ? errcode : null;
}

/**
 * PostgreSQL's states (https://www.postgresql.org/docs/current/errcodes-appendix.html) that are about the server and not about
 * the query. Classes: connection (08), resources (53), a person or a failover that ended the session (57P), files (58).
 * Single ones: writing where only reading is allowed, an idle transaction that was ended, a lock or a statement that took
 * too long.
 */
const POSTGRES_AWAY = /^(08...|53...|57P..|58...|25006|25P03|55P03|57014)$/;

/** PostgreSQL's state for a disk without room. */
const POSTGRES_FULL = '53100';

/** Serialization failure, deadlock. */
const POSTGRES_CONFLICTS = new Set(['40001', '40P01']);

const POSTGRES_CONSTRAINTS = new Map<string, Constraint>([
  ['23505', 'unique'],
  ['23503', 'foreign-key'],
]);

/** The product's error in place of the one that a statement on PostgreSQL failed with, where there is one. */
export function postgresFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof TypeError) {
    return error;
  }
  const state = postgresState(error);
  // The server gives every answer of its own a state. Without one the answer never came; values that cannot be sent are a
  // `TypeError`.
  if (state === null || POSTGRES_AWAY.test(state)) {
    return new DatabaseUnavailableError({ cause: error }, state === POSTGRES_FULL ? 'full' : 'away');
  }
  if (POSTGRES_CONFLICTS.has(state)) {
    return new ConflictError({ cause: error });
  }
  const constraint = POSTGRES_CONSTRAINTS.get(state);
  return constraint === undefined ? error : new ConstraintError(constraint, { cause: error });
}

/** The five characters of `error`'s state; null when it is not the server's answer. */
export function postgresState(error: unknown): string | null {
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  return error instanceof Error && typeof severity === 'string' && typeof code === 'string' ? code : null;
}
