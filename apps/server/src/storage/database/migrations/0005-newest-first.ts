import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { addTexts } from '../../../features/jkits/search-words.repository.ts';
import type { Queries } from '../database.ts';
import { dialectOf } from '../dialect.ts';

/** Jkits whose texts are written at once. */
const BATCH = 500;

/**
 * Numbers the rows of SQLite's full-text index downwards, so that the newest jkit is the first: it reads its rows forwards in
 * half the time that it takes backwards. It has no copy of the texts, which are put together again.
 */
export const newestFirst: Migration = {
  async up(db: Kysely<unknown>) {
    if (dialectOf(db) === 'postgres') {
      return;
    }
    await sql`drop table jkit_search`.execute(db);
    await sql`
      create virtual table jkit_search using fts5(
        text, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
      )`.execute(db);
    await addAllTexts(db as Queries);
  },
};

async function addAllTexts(db: Queries): Promise<void> {
  let below = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const rows = await db
      .selectFrom('jkits')
      .select(['number', 'name', 'tags', 'publisher', 'description'])
      .where('shared', '=', 1)
      .where('number', '<', below)
      .orderBy('number', 'desc')
      .limit(BATCH)
      .execute();
    const oldest = rows.at(-1);
    if (oldest === undefined) {
      return;
    }
    await addTexts(db, rows);
    below = oldest.number;
  }
}
