/** Everything a database holds, to see whether a call changed it. */
import { sql } from 'kysely';
import type { Queries } from '../storage/database/database.ts';

/** Rows by table, in an order that does not depend on how they are stored. */
export type Contents = Readonly<Record<string, readonly string[]>>;

/** Tables that SQLite's full text search keeps for itself; some of their numbers are beyond JavaScript's. */
const OF_AN_INDEX = /_(data|idx|docsize|config|content)$/;

/** Asking PostgreSQL for its tables takes longer than reading all of them. */
const tablesOf = new WeakMap<Queries, Promise<readonly string[]>>();

async function tableNames(queries: Queries): Promise<readonly string[]> {
  const tables = await queries.introspection.getTables();
  return tables.map(({ name }) => name).filter((name) => !OF_AN_INDEX.test(name));
}

/** @param queries of a database whose migrations have run */
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

/** An account is noted as soon as its token is accepted, also for a call that is refused afterwards. */
function isMoreThanSeen(account: object): boolean {
  const { is_chosen: isChosen, blocked_at: blockedAt } = account as { is_chosen?: unknown; blocked_at?: unknown };
  return Number(isChosen) === 1 || blockedAt !== null;
}

/** When a token was last used or an account seen is no content: refused calls leave it behind too. */
function plain(key: string, value: unknown): unknown {
  if (key === 'last_used_at' || key === 'last_seen_at') {
    return undefined;
  }
  return typeof value === 'bigint' ? String(value) : value;
}
