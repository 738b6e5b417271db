/** Tells "the database is away" from "the query is wrong": the first is temporary and answered with 503. */

/** The database cannot be reached or written at the moment; nothing of the transaction was kept. */
export class DatabaseUnavailableError extends Error {
  constructor(options: ErrorOptions) {
    super('The database cannot be used at the moment', options);
    this.name = 'DatabaseUnavailableError';
  }
}

/**
 * Primary result codes of SQLite (https://sqlite.org/rescode.html) that speak of the file, the disk or other processes:
 * BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN, PROTOCOL.
 */
const AWAY = new Set([5, 6, 8, 10, 13, 14, 15]);

/** Runs `action` and throws `DatabaseUnavailableError` in place of SQLite's error when the file is out of reach. */
export function orUnavailable<Result>(action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw isDatabaseAway(error) ? new DatabaseUnavailableError({ cause: error }) : error;
  }
}

/** Whether SQLite failed because of the file, the disk or another process, and not because of the query. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) {
    return false;
  }
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  // The low byte of an extended result code is the primary one.
  return code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number' && AWAY.has(errcode & 0xff);
}
