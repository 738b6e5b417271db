/** The folder of all embedded data, its lock, and the messages if it is unusable. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, constants, mkdir, open, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import manifest from '../../package.json' with { type: 'json' };
import { productDatabase } from '../backup/data-files.ts';
import { StartError } from '../start-error.ts';
import { systemErrorCode } from './blobs/disk.ts';
import { DatabaseUnavailableError, isSqliteAway, isSqliteBusy, isSqliteFull } from './database/database-failure.ts';
import { adviceForSchema, SchemaVersionError } from './database/schema.ts';
import { reasonOf } from './failure-reason.ts';

/**
 * Creates the folder if it is missing and returns its absolute path.
 *
 * @throws StartError if it is not writable.
 */
export async function openDataFolder(dataDir: string): Promise<string> {
  const folder = resolve(dataDir);
  try {
    await makeFolder(folder);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return folder;
  } catch (error) {
    throw new StartError(
      [
        `DATA_DIR ${folder} cannot be written to (${reasonOf(error)}): make it writable, or set DATA_DIR to another folder.`,
      ],
      { cause: error },
    );
  }
}

/**
 * Creates the folder and its missing parents. It works step by step, because `mkdir` with `recursive` never returns
 * if the system answers "no such folder" inside an existing folder, for example below /proc.
 */
async function makeFolder(folder: string): Promise<void> {
  try {
    // Other users of a shared machine must not read sessions and users' texts.
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) {
      return;
    }
    const above = dirname(folder);
    if (code !== 'ENOENT' || existsSync(above)) {
      throw error;
    }
    await makeFolder(above);
    await makeFolder(folder);
  }
}

/** Holds the lock of the data folder, and a row about the server that took it last. */
const LOCK_FILE = 'server-lock.sqlite';

/**
 * Locks the folder for this server until the lock is disposed or the process ends, in whichever way: the lock is an
 * open transaction of SQLite, which is a lock of the system. Programs that only read, such as a backup, do not need it.
 *
 * @param folder Absolute path.
 * @throws StartError that names the other server if one uses the folder. Nothing in the folder is changed then.
 */
export function lockDataFolder(folder: string): Promise<Disposable> {
  return openDataFile(join(folder, LOCK_FILE), async (path) => {
    await createPrivateFile(path);
    const lock = new DatabaseSync(path, { timeout: 0 });
    try {
      holdFolder(lock, folder);
      return { [Symbol.dispose]: () => lock.close() };
    } catch (error) {
      lock.close();
      throw error;
    }
  });
}

/**
 * Creates a missing file for its owner only. It leaves an existing file closed: a process that closes a file gives up
 * all of its POSIX locks on it.
 */
async function createPrivateFile(path: string): Promise<void> {
  try {
    await (await open(path, 'wx', 0o600)).close();
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') {
      throw error;
    }
  }
}

/** Begins the transaction that is the lock. A committed row tells other servers who holds it. */
function holdFolder(lock: DatabaseSync, folder: string): void {
  const start = randomUUID();
  for (;;) {
    begin(lock, folder);
    const last = lastServer(lock);
    // Another server may have taken the lock between the commit of this row and this transaction.
    if (last?.start === start) {
      return;
    }
    if (last === null) {
      refuseUnlockedServer(folder);
    }
    try {
      lock.exec(`
        create table if not exists server (start text not null, version text not null, process integer not null, host text not null);
        delete from server`);
      lock.prepare('insert into server values (?, ?, ?, ?)').run(start, manifest.version, process.pid, hostname());
      lock.exec('commit');
    } catch (error) {
      if (!isSqliteFull(error)) {
        throw error;
      }
      // The lock itself needs no space.
      if (lock.isTransaction) {
        lock.exec('rollback');
      }
      begin(lock, folder);
      return;
    }
  }
}

function begin(lock: DatabaseSync, folder: string): void {
  try {
    lock.exec('begin immediate');
  } catch (error) {
    if (!isSqliteBusy(error)) {
      throw error;
    }
    const holder = lastServer(lock);
    const server =
      holder === null
        ? 'another server'
        : `another server (version ${holder.version}, process ${holder.process} on ${holder.host})`;
    throw new StartError(
      [
        `DATA_DIR ${folder} is in use by ${server}: stop that server first, or set DATA_DIR to another folder. Several servers share their data by DATABASE_URL alone.`,
      ],
      { cause: error },
    );
  }
}

/** Returns the server that took the lock last; null if no server has, or if the row cannot be read now. */
function lastServer(lock: DatabaseSync) {
  try {
    const row = lock.prepare('select start, version, process, host from server').get();
    return row === undefined
      ? null
      : {
          start: String(row['start']),
          version: String(row['version']),
          process: Number(row['process']),
          host: String(row['host']),
        };
  } catch {
    // The table is missing, or another server is writing it.
    return null;
  }
}

/**
 * Refuses a folder whose database another process has open. Servers from before the lock are found only in this way.
 * Later a backup may have the database open, so it is asked only in a folder that no server has locked yet.
 */
function refuseUnlockedServer(folder: string): void {
  const path = join(folder, productDatabase);
  if (!existsSync(path)) {
    return;
  }
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // Takes the whole file, which fails while another connection has it open (SQLite, "PRAGMA locking_mode").
    database.exec('pragma locking_mode = exclusive; select count(*) from sqlite_master');
  } catch (error) {
    if (isSqliteBusy(error)) {
      throw new StartError(
        [
          `DATA_DIR ${folder} is in use: another program has ${productDatabase} open, such as a server of an older version. Stop it first, or set DATA_DIR to another folder.`,
        ],
        { cause: error },
      );
    }
    // The server opens the file next, and says what is wrong with it.
  } finally {
    database.close();
  }
}

/**
 * Opens one of the folder's files.
 *
 * @throws StartError that names the file if it is invalid.
 */
export async function openDataFile<Opened>(path: string, open: (path: string) => Promise<Opened>): Promise<Opened> {
  try {
    return await open(path);
  } catch (error) {
    if (error instanceof StartError) {
      throw error;
    }
    throw new StartError([`${path} cannot be opened (${reasonOf(error)}): ${adviceFor(error)}.`], { cause: error });
  }
}

function adviceFor(error: unknown): string {
  if (error instanceof SchemaVersionError) {
    return adviceForSchema(error);
  }
  return error instanceof DatabaseUnavailableError || isSqliteAway(error)
    ? 'stop the program that has it open, free disk space, or set DATA_DIR to another folder'
    : 'restore it from a backup, or set DATA_DIR to another folder';
}
