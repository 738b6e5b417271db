/** Opens SQLite files with the settings that the product uses for all of them. */
import { open } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSqliteAway } from './database-failure.ts';

export interface SqliteOptions {
  /** `full`: an answered transaction survives a power cut. `normal`: it survives a crash of the process. */
  readonly synchronous: 'full' | 'normal';
  /** Milliseconds to wait for another process that holds the lock. Default: 5 s. */
  readonly busyTimeout?: number;
}

/** An SQLite file with its options. */
export interface SqliteFile extends SqliteOptions {
  readonly path: string;
  /** True: refuses every statement that would write. */
  readonly readOnly?: boolean;
}

const BUSY_TIMEOUT = 5_000;
const RETRY_EVERY = 20;

/**
 * Kilobytes of cached pages. SQLite's default of 2 MB holds little of a large database: this cache makes a search a
 * quarter faster.
 */
const PAGE_CACHE = 32_768;

/**
 * Opens a file for reading and writing.
 *
 * @throws Error of SQLite if the file cannot be opened or is not a database.
 */
export async function openSqlite(path: string, options: SqliteOptions): Promise<DatabaseSync> {
  const { synchronous, busyTimeout = BUSY_TIMEOUT } = options;
  // Accessible for its owner only. SQLite gives the files beside it the same mode.
  await (await open(path, 'a', 0o600)).close();
  const database = new DatabaseSync(path, { timeout: busyTimeout, enableForeignKeyConstraints: true });
  try {
    await useWriteAheadLog(database, busyTimeout);
    database.exec(`pragma synchronous = ${synchronous}; pragma cache_size = -${PAGE_CACHE}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Opens a file for reading only. While `openSqlite` has it open, the journal files exist. Otherwise SQLite creates
 * the journal's index for as long as it reads.
 */
export function openSqliteReader({ path, busyTimeout = BUSY_TIMEOUT }: SqliteFile): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: busyTimeout, readOnly: true });
  database.exec(`pragma cache_size = -${PAGE_CACHE}`);
  return database;
}

export interface CommitWatch extends Disposable {
  /**
   * Returns a number that changes after each commit of any other connection; null if SQLite cannot tell at the
   * moment.
   */
  version(): number | null;
}

/**
 * Watches a file that `openSqlite` already has open. It reads the index of the write-ahead log, which is shared
 * memory, so it needs no thread (SQLite, "PRAGMA data_version").
 */
export function watchCommits(path: string): CommitWatch {
  const database = new DatabaseSync(path, { timeout: 0, readOnly: true });
  const statement = database.prepare('pragma data_version');
  return {
    version: () => {
      try {
        return Number(statement.get()?.['data_version']);
      } catch (error) {
        if (isSqliteAway(error)) {
          return null;
        }
        throw error;
      }
    },
    [Symbol.dispose]: () => database.close(),
  };
}

/**
 * Sets the journal mode, with retries. SQLite does not wait for other processes here but answers BUSY at once, and
 * two processes that open a new file simultaneously both set it.
 */
async function useWriteAheadLog(database: DatabaseSync, busyTimeout: number): Promise<void> {
  for (let left = Math.ceil(busyTimeout / RETRY_EVERY); ; left--) {
    try {
      database.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (left <= 0 || !isSqliteAway(error)) {
        throw error;
      }
      await sleep(RETRY_EVERY);
    }
  }
}
