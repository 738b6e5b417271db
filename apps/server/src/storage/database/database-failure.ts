/**
 * Translates errors of the database drivers: the database is unavailable (temporary, answered with 503), a constraint
 * rejected a row (handled by a rule), or two transactions conflicted (retried). All other errors are faults of the
 * product and pass through.
 */

/**
 * The database cannot be reached or written at the moment. Nothing of the transaction was kept, except if the
 * connection broke during the commit: then the result is unknown.
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

/** The kind of violated constraint: a duplicate key, or a reference to a missing row. */
export type Constraint = 'unique' | 'foreign-key';

/** The database rejected a row. The transaction is over, because PostgreSQL executes no further statements in it. */
export class ConstraintError extends Error {
  readonly constraint: Constraint;

  constructor(constraint: Constraint, options: ErrorOptions) {
    super(`A ${constraint} constraint rejects this row`, options);
    this.name = 'ConstraintError';
    this.constraint = constraint;
  }
}

/** Simultaneous transactions could not be serialized. The same work may succeed in a retry. */
export class ConflictError extends Error {
  constructor(options: ErrorOptions) {
    super('The transaction conflicted with another one', options);
    this.name = 'ConflictError';
  }
}

/**
 * Primary result codes of SQLite (https://sqlite.org/rescode.html) about the file, the disk or other processes: ABORT
 * (of a transaction that is gone), BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN, PROTOCOL.
 */
const SQLITE_AWAY = new Set([4, 5, 6, 8, 10, 13, 14, 15]);

/** BUSY: another connection, often of another process, has the lock. */
const SQLITE_BUSY = 5;

/** FULL, and IOERR_SHMSIZE (an extended code): no space for the index of the write-ahead log. */
const SQLITE_FULL = new Set([13, 4_874]);

/** Extended result codes of SQLite: CONSTRAINT_PRIMARYKEY, CONSTRAINT_UNIQUE, CONSTRAINT_FOREIGNKEY. */
const SQLITE_CONSTRAINTS = new Map<number, Constraint>([
  [1555, 'unique'],
  [2067, 'unique'],
  [787, 'foreign-key'],
]);

/** Runs `action` on SQLite and translates the driver's error. */
export function onSqlite<Result>(action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw sqliteFailure(error);
  }
}

/** Returns true if SQLite failed because of the file, the disk or another process, and not because of the query. */
export function isSqliteAway(error: unknown): boolean {
  const code = sqliteCode(error);
  // The low byte of an extended result code is the primary one.
  return code !== null && SQLITE_AWAY.has(code & 0xff);
}

/** Returns true if another connection had a lock. */
export function isSqliteBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== null && (code & 0xff) === SQLITE_BUSY;
}

/** Returns true if the disk is full. */
export function isSqliteFull(error: unknown): boolean {
  return SQLITE_FULL.has(sqliteCode(error) ?? 0);
}

/** Returns the product's error for an error of SQLite. Unknown errors are returned unchanged. */
export function sqliteFailure(error: unknown): unknown {
  if (isSqliteAway(error)) {
    return new DatabaseUnavailableError({ cause: error }, isSqliteFull(error) ? 'full' : 'away');
  }
  const constraint = SQLITE_CONSTRAINTS.get(sqliteCode(error) ?? 0);
  return constraint === undefined ? error : new ConstraintError(constraint, { cause: error });
}

function sqliteCode(error: unknown): number | null {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  return error instanceof Error && code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' ? errcode : null;
}

/**
 * PostgreSQL's states (https://www.postgresql.org/docs/current/errcodes-appendix.html) about the server and not about
 * the query. Classes: connection (08), resources (53), a session ended by an operator or a failover (57P), files
 * (58). Single states: write on a read-only server, timeout of an idle transaction, of a lock, or of a statement.
 */
const POSTGRES_AWAY = /^(08...|53...|57P..|58...|25006|25P03|55P03|57014)$/;

/** PostgreSQL's state for a full disk. */
const POSTGRES_FULL = '53100';

/** Serialization failure, deadlock. */
const POSTGRES_CONFLICTS = new Set(['40001', '40P01']);

const POSTGRES_CONSTRAINTS = new Map<string, Constraint>([
  ['23505', 'unique'],
  ['23503', 'foreign-key'],
]);

/** Returns the product's error for an error of PostgreSQL. Unknown errors are returned unchanged. */
export function postgresFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof TypeError) {
    return error;
  }
  const state = postgresState(error);
  // Every answer of the server has a state. Without one, no answer came. Values that cannot be sent cause a
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

/** Returns the five characters of `error`'s state; null if it is not an answer of the server. */
export function postgresState(error: unknown): string | null {
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  return error instanceof Error && typeof severity === 'string' && typeof code === 'string' ? code : null;
}
