/** Reads all contents of a database, to detect whether a call changed it. */
import { sql } from 'kysely';
import type { Queries } from '../storage/database/database.ts';

/** Rows by table, in an order that does not depend on their storage. */
export type Contents = Readonly<Record<string, readonly string[]>>;

/** Internal tables of SQLite's full-text search. Some of their numbers exceed JavaScript's. */
const OF_AN_INDEX = /_(data|idx|docsize|config|content)$/;

/** Cached, because listing PostgreSQL's tables takes longer than reading all of them. */
const tablesOf = new WeakMap<Queries, Promise<readonly string[]>>();

async function tableNames(queries: Queries): Promise<readonly string[]> {
  const tables = await queries.introspection.getTables();
  return tables.map(({ name }) => name).filter((name) => !OF_AN_INDEX.test(name));
}

/** @param queries Connection to a migrated database. */
export async function databaseContents(queries: Queries): Promise<Contents> {
  const names = tablesOf.get(queries) ?? tableNames(queries);
  tablesOf.set(queries, names);
  const contents: Record<string, readonly string[]> = {};
  for (const name of await names) {
    const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(queries);
    contents[name] = rows
      .filter((row) => name !== 'accounts' || isMoreThanSeen(row))
      .map((row) => JSON.stringify(row, plain))
      .sort();
  }
  return contents;
}

/**
 * Returns true if an account has more than its first sign-in. An account is created as soon as its token is accepted,
 * even if the call is refused afterwards.
 */
function isMoreThanSeen(account: object): boolean {
  const { is_chosen: isChosen, blocked_at: blockedAt } = account as { is_chosen?: unknown; blocked_at?: unknown };
  return Number(isChosen) === 1 || blockedAt !== null;
}

/** Leaves out the times of last use, because refused calls change them too. */
function plain(key: string, value: unknown): unknown {
  if (key === 'last_used_at' || key === 'last_seen_at') {
    return undefined;
  }
  return typeof value === 'bigint' ? String(value) : value;
}
