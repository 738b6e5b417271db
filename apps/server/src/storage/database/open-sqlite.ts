/** Opens an SQLite file the way this product uses every one of them. */
import { open } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSqliteAway } from './database-failure.ts';

export interface SqliteOptions {
  /** `full`: a transaction that was answered survives a power cut. `normal`: it survives a crash of the process. */
  readonly synchronous: 'full' | 'normal';
  /** Milliseconds to wait for another process that holds the lock; 5 s without it. */
  readonly busyTimeout?: number;
}

/** An SQLite file and how it is used. */
export interface SqliteFile extends SqliteOptions {
  readonly path: string;
  /** Refuses every statement that would write. */
  readonly readOnly?: boolean;
}

const BUSY_TIMEOUT = 5_000;
const RETRY_EVERY = 20;

/** Kilobytes of pages that SQLite may keep. Its own 2 MB hold little of a large database: searching in one takes a quarter less. */
const PAGE_CACHE = 32_768;

/** Throws SQLite's error when the file cannot be opened or is no database. */
export async function openSqlite(path: string, options: SqliteOptions): Promise<DatabaseSync> {
  const { synchronous, busyTimeout = BUSY_TIMEOUT } = options;
  // For its owner only; SQLite gives the files it puts beside this one the same mode.
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
 * Opens a file for reading alone. While `openSqlite` has it open, the journal and everything beside it are there; otherwise SQLite makes
 * the index of the journal for as long as it reads.
 */
export function openSqliteReader({ path, busyTimeout = BUSY_TIMEOUT }: SqliteFile): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: busyTimeout, readOnly: true });
  database.exec(`pragma cache_size = -${PAGE_CACHE}`);
  return database;
}

export interface CommitWatch extends Disposable {
  /** Another one after each commit of any other connection; null when SQLite cannot tell now. */
  version(): number | null;
}

/**
 * Looks at a file that `openSqlite` has open already. It reads the index of the write-ahead log, which is shared memory, and so
 * needs no thread of its own (SQLite, "PRAGMA data_version").
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
 * SQLite does not wait for other processes when it changes the journal mode (it answers BUSY at once), and two that open
 * a new file at the same moment both want to.
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
