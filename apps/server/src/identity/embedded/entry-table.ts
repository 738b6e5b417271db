/** The table of the embedded provider: selects its entries by account, and ends sessions. */
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@wirebench/clock';

const ACCOUNT_COLUMN = "account_id text generated always as (payload ->> '$.accountId') virtual";

const SCHEMA = `
  create table if not exists entry (
    model text not null,
    id text not null,
    payload text not null,
    grant_id text,
    uid text,
    expires_at integer,
    ${ACCOUNT_COLUMN},
    primary key (model, id)
  ) strict, without rowid;
  create index if not exists entry_grant on entry (grant_id) where grant_id is not null;
  create index if not exists entry_uid on entry (model, uid) where uid is not null;
  create index if not exists entry_expiry on entry (expires_at) where expires_at is not null;
`;

const ACCOUNT_INDEXES = `
  create index if not exists entry_account on entry (account_id) where account_id is not null;
  create index if not exists entry_anonymous on entry (model, expires_at) where account_id is null;
`;

/** Creates the table if it is missing, and adds the columns and indexes that an older version lacks. */
export function createEntryTable(database: DatabaseSync): void {
  inTransaction(database, () => {
    database.exec(SCHEMA);
    const column = database.prepare(`select 1 from pragma_table_xinfo('entry') where name = 'account_id'`).get();
    if (column === undefined) {
      database.exec(`alter table entry add column ${ACCOUNT_COLUMN}`);
    }
    database.exec(ACCOUNT_INDEXES);
  });
}

/** Runs `work` in a transaction that excludes all other writers. Rolls back if it throws. */
export function inTransaction<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('begin immediate');
  try {
    const result = work();
    database.exec('commit');
    return result;
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
}

/** Deletes the sessions, refresh tokens, codes and grants of one account. */
export function endSessionsOf(database: DatabaseSync, subject: string): void {
  database.prepare('delete from entry where account_id = ?').run(subject);
}

export function endEverySession(database: DatabaseSync): void {
  database.exec('delete from entry where account_id is not null');
}

/** Bytes that one filling writes: more than the log of `LOG_PAGES` pages. */
const FILLING = 1_536 * 1_024;
/** Pages of 4 KiB in the log after which SQLite moves them into the database. */
const LOG_PAGES = 256;
/** Unused pages of the database below which it is filled again, and the number of fillings that make enough of them. */
const LEAST_UNUSED = 768;
const FILLINGS = 3;

/**
 * Keeps room for sign-ins on a full disk, inside of the database, where no other program can use it. Both the log and the
 * database are made larger than they need to be. SQLite writes over the log from its start and takes unused pages
 * before it asks the disk for new ones.
 *
 * @param freeBytes Returns the free bytes of the disk.
 * @returns A function that restores the room and returns true while there is enough of it.
 */
export function keepRoom(database: DatabaseSync, freeBytes: () => number): () => boolean {
  database.exec(`pragma wal_autocheckpoint = ${LOG_PAGES}`);
  const unused = () => Number(database.prepare('pragma freelist_count').get()?.['freelist_count']);
  const fill = (times: number): boolean => {
    // A database that grows on a disk without room could not empty its log any more.
    if (freeBytes() < FILLING * (times + 2)) {
      return false;
    }
    database.exec('create table if not exists room (filling blob)');
    for (let time = 0; time < times; time++) {
      database.exec(`insert into room values (randomblob(${FILLING}))`);
    }
    database.exec('pragma wal_checkpoint(passive); delete from room; pragma wal_checkpoint(passive)');
    return true;
  };
  const restore = () => unused() >= LEAST_UNUSED || fill(FILLINGS);
  // The log begins empty at each start.
  fill(unused() < LEAST_UNUSED ? FILLINGS : 1);
  return restore;
}

/** Selects an entry by its uid. The index is named, because SQLite would otherwise read every entry of the model. */
export const fromEntryWithUid = 'from entry indexed by entry_uid where model = ? and uid = ?';

export interface PersonsSession {
  readonly subject: string;
  /** Seconds since 1970. */
  readonly signedInAt: number;
}

/**
 * Returns a function that finds the session in a token's `sid`. It returns null if the session has ended or has no
 * account.
 */
export function sessionFinder(database: DatabaseSync, clock: Clock): (uid: string) => PersonsSession | null {
  const find = database.prepare(
    `select account_id as subject, payload ->> '$.loginTs' as "signedInAt" ${fromEntryWithUid}
     and expires_at > ? and account_id is not null`,
  );
  return (uid) => {
    const row = find.get('Session', uid, Math.floor(clock.wallTime() / 1_000));
    return row === undefined ? null : { subject: String(row['subject']), signedInAt: Number(row['signedInAt']) };
  };
}
