/**
 * Keeps searches fast on SQLite. Its full-text index grows by segments, and every search reads all of them. Merging
 * them into one halves the time of a search. PostgreSQL maintains its index by itself.
 */
import { sql } from 'kysely';
import type { Queries } from '../../storage/database/database.ts';
import { dialectOf } from '../../storage/database/dialect.ts';
import { inTransaction } from '../../storage/database/transaction.ts';

/** Number of segments without a noticeable effect. */
const FEW = 3;

/** Pages that one transaction writes at most, so that other writers wait only some milliseconds. */
const PAGES = 64;

/**
 * Merges the index if it has many segments. Searches continue during the merge, and writes get their turn between two
 * steps.
 *
 * @param signal Ends the merge between two steps. The next merge continues it.
 */
export async function mergeSearchIndex(queries: Queries, signal?: AbortSignal): Promise<void> {
  if (dialectOf(queries) === 'postgres' || (await countPieces(queries)) <= FEW) {
    return;
  }
  // The first step selects all segments, whatever their sizes. The others continue it (SQLite FTS5, "The 'merge'
  // Command").
  let isUnfinished = await mergeSome(queries, -PAGES);
  while (isUnfinished && signal?.aborted !== true) {
    isUnfinished = await mergeSome(queries, PAGES);
  }
}

/** Runs one step. Returns true if there may be more to merge. */
function mergeSome(queries: Queries, pages: number): Promise<boolean> {
  return inTransaction(queries, async (transaction) => {
    const before = await countChanges(transaction);
    await sql`insert into jkit_search (jkit_search, rank) values ('merge', ${pages})`.execute(transaction);
    // The command itself counts as one change (same section).
    return (await countChanges(transaction)) - before >= 2;
  });
}

async function countChanges(transaction: Queries): Promise<number> {
  const { rows } = await sql<{ changes: number }>`select total_changes() as changes`.execute(transaction);
  return rows[0]?.changes ?? 0;
}

/** Counts the segments, from one of the index's own tables (SQLite FTS5, "The %_idx Table"). */
async function countPieces(queries: Queries): Promise<number> {
  const { rows } = await sql<{ pieces: number }>`
    select count(distinct segid) as pieces from jkit_search_idx`.execute(queries);
  return rows[0]?.pieces ?? 0;
}
