/**
 * Keeps searching quick on SQLite. Its full-text index grows by pieces, every search reads all of them, and merging them into
 * one makes a search half as long. PostgreSQL tidies its index up by itself.
 */
import { sql } from 'kysely';
import type { Queries } from '../../storage/database/database.ts';
import { dialectOf } from '../../storage/database/dialect.ts';
import { inTransaction } from '../../storage/database/transaction.ts';

/** Pieces that nobody notices. */
const FEW = 3;

/** Pages that one transaction writes at most: nobody waits for it longer than some milliseconds. */
const PAGES = 64;

/**
 * Merges the index where it has come to be in many pieces. Searches go on meanwhile, writes in between; `signal` ends it between
 * two steps, and the next merge goes on with it.
 */
export async function mergeSearchIndex(queries: Queries, signal?: AbortSignal): Promise<void> {
  if (dialectOf(queries) === 'postgres' || (await countPieces(queries)) <= FEW) {
    return;
  }
  // The first step takes all pieces together, whatever their sizes; the others go on with it (SQLite FTS5, "The 'merge' Command").
  let isUnfinished = await mergeSome(queries, -PAGES);
  while (isUnfinished && signal?.aborted !== true) {
    isUnfinished = await mergeSome(queries, PAGES);
  }
}

/** Whether there may be more to do. */
function mergeSome(queries: Queries, pages: number): Promise<boolean> {
  return inTransaction(queries, async (transaction) => {
    const before = await countChanges(transaction);
    await sql`insert into jkit_search (jkit_search, rank) values ('merge', ${pages})`.execute(transaction);
    // The command itself counts as one change (the same place).
    return (await countChanges(transaction)) - before >= 2;
  });
}

async function countChanges(transaction: Queries): Promise<number> {
  const { rows } = await sql<{ changes: number }>`select total_changes() as changes`.execute(transaction);
  return rows[0]?.changes ?? 0;
}

/** From one of the tables that the index consists of (SQLite FTS5, "The %_idx Table"). */
async function countPieces(queries: Queries): Promise<number> {
  const { rows } = await sql<{ pieces: number }>`
    select count(distinct segid) as pieces from jkit_search_idx`.execute(queries);
  return rows[0]?.pieces ?? 0;
}
