/**
 * Accounts that an operator created, in a table of the embedded provider's database. `npm run accounts` changes the
 * table while the server reads it. The rules and hashes of passwords are in `password.ts`.
 */
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@wirebench/clock';
import { endEverySession, endSessionsOf, inTransaction } from './entry-table.ts';

export const localRoles = ['user', 'admin'] as const;
export type LocalRole = (typeof localRoles)[number];

export interface LocalAccount {
  readonly subject: string;
  readonly username: string;
  readonly role: LocalRole;
  readonly isDisabled: boolean;
}

export interface StoredAccount extends LocalAccount {
  /** Result of `hashPassword`. */
  readonly password: string;
  /** Seconds since 1970. Sessions that began earlier are signed out. */
  readonly signedOutAt: number;
}

const SCHEMA = `
  create table if not exists account (
    subject text primary key,
    username text not null,
    name_key text not null unique,
    role text not null check (role in ('user', 'admin')),
    password text not null,
    is_disabled integer not null default 0,
    signed_out_at integer not null default 0,
    created_at integer not null
  ) strict, without rowid;
`;

const COLUMNS = `subject, username, role, password, is_disabled as "isDisabled", signed_out_at as "signedOutAt"`;

/** Reserved name: the publisher of everything that comes with the product. */
const RESERVED = 'wirebench';

export type NameFault = 'invalid' | 'reserved';

/** Returns the fault of a name for an account; null if it is valid. */
export function nameFaultOf(username: string): NameFault | null {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}\p{M}._-]{0,39}$/u.test(username.normalize('NFKC'))) {
    return 'invalid';
  }
  return nameKeyOf(username) === RESERVED ? 'reserved' : null;
}

/** Returns the key by which names are compared: names that differ only in case or in the form of letters are equal. */
export function nameKeyOf(username: string): string {
  return username.normalize('NFKC').toLowerCase();
}

export interface LocalAccounts {
  /** Returns true if an operator has created an account, including disabled ones. */
  exist(): boolean;
  list(): readonly StoredAccount[];
  withName(username: string): StoredAccount | null;
  withSubject(subject: string): StoredAccount | null;
  /** Creates an account. Returns false if the name is taken. The first account ends all sessions of demo accounts. */
  add(account: { readonly username: string; readonly role: LocalRole; readonly password: string }): boolean;
  /**
   * Sets a password and ends the account's sessions. Returns false if there is no such account, like the methods
   * below.
   */
  setPassword(username: string, password: string): boolean;
  /** Changes the role from the next request on. */
  setRole(username: string, role: LocalRole): boolean;
  /** Disables the account and ends its sessions. */
  disable(username: string): boolean;
  enable(username: string): boolean;
}

/** Creates the table if it is missing. `database` is the one passed to `createEntryTable`. */
export function localAccounts(database: DatabaseSync, clock: Clock): LocalAccounts {
  database.exec(SCHEMA);
  const any = database.prepare('select 1 from account limit 1');
  const all = database.prepare(`select ${COLUMNS} from account order by name_key`);
  const byName = database.prepare(`select ${COLUMNS} from account where name_key = ?`);
  const bySubject = database.prepare(`select ${COLUMNS} from account where subject = ?`);
  const insert = database.prepare(
    `insert into account (subject, username, name_key, role, password, created_at) values (?, ?, ?, ?, ?, ?)
     on conflict (name_key) do nothing`,
  );
  const setPassword = database.prepare('update account set password = ?, signed_out_at = ? where subject = ?');
  const setRole = database.prepare('update account set role = ? where name_key = ?');
  const disable = database.prepare('update account set is_disabled = 1, signed_out_at = ? where subject = ?');
  const enable = database.prepare('update account set is_disabled = 0 where name_key = ?');
  const now = () => Math.floor(clock.wallTime() / 1_000);
  const exist = () => any.get() !== undefined;
  const withName = (username: string) => storedOf(byName.get(nameKeyOf(username)));

  const changeAndSignOut = (username: string, change: (subject: string) => void): boolean =>
    inTransaction(database, () => {
      const account = withName(username);
      if (account === null) {
        return false;
      }
      change(account.subject);
      endSessionsOf(database, account.subject);
      return true;
    });

  return {
    exist,
    list: () => all.all().flatMap((row) => storedOf(row) ?? []),
    withName,
    withSubject: (subject) => storedOf(bySubject.get(subject)),
    add: ({ username, role, password }) =>
      inTransaction(database, () => {
        const isFirst = !exist();
        const name = username.normalize('NFKC');
        const { changes } = insert.run(randomUUID(), name, nameKeyOf(name), role, password, now());
        if (isFirst) {
          endEverySession(database);
        }
        return changes > 0;
      }),
    setPassword: (username, password) =>
      changeAndSignOut(username, (subject) => setPassword.run(password, now(), subject)),
    setRole: (username, role) => setRole.run(role, nameKeyOf(username)).changes > 0,
    disable: (username) => changeAndSignOut(username, (subject) => disable.run(now(), subject)),
    enable: (username) => enable.run(nameKeyOf(username)).changes > 0,
  };
}

function storedOf(row: Readonly<Record<string, unknown>> | undefined): StoredAccount | null {
  return row === undefined
    ? null
    : {
        subject: String(row['subject']),
        username: String(row['username']),
        role: row['role'] === 'admin' ? 'admin' : 'user',
        password: String(row['password']),
        isDisabled: row['isDisabled'] === 1,
        signedOutAt: Number(row['signedOutAt']),
      };
}
