import { NewJkit } from '@wirebench/contract';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Queries } from '../../storage/database/database.ts';
import { dialectOf } from '../../storage/database/dialect.ts';
import { databaseKinds } from '../../testing/databases.ts';
import { jkitRepository } from './jkits.repository.ts';
import { searchRepository } from './search.repository.ts';
import { mergeSearchIndex } from './search-upkeep.repository.ts';

/** Leaves the index in a dozen segments. */
const SAVED = 230;

async function saveSome(queries: Queries): Promise<void> {
  const jkits = jkitRepository(queries);
  const saving = { owner: 'subject-of-maker', publisher: 'maker', at: '2026-11-20T12:00:00.000Z' };
  for (let number = 0; number < SAVED; number++) {
    const draft = NewJkit.parse({ name: `modem ${number}`, content: '{"fields":[]}', shared: true });
    await jkits.insert(draft, saving, SAVED);
  }
}

/** Returns null on a database without segments. */
async function pieces(queries: Queries): Promise<number | null> {
  if (dialectOf(queries) === 'postgres') {
    return null;
  }
  const { rows } = await sql<{ count: number }>`
    select count(distinct segid) as count from jkit_search_idx`.execute(queries);
  return rows[0]?.count ?? 0;
}

describe.each(databaseKinds)('the index of the search on $name', ({ open }) => {
  it('is put together where it is in many pieces, and finds the same as before', async () => {
    await using opened = await open();
    const { queries } = opened.database;
    await saveSome(queries);
    const find = (query: string) => searchRepository(queries).find({ query, type: undefined, skip: 0, limit: 1_000 });
    const before = await find('modem');
    expect(before).toHaveLength(SAVED);
    expect((await pieces(queries)) ?? 9).toBeGreaterThan(3);
    await mergeSearchIndex(queries);
    expect((await pieces(queries)) ?? 1).toBe(1);
    expect(await find('modem')).toEqual(before);
  });

  it('forgets what was removed, and takes in what comes afterwards', async () => {
    await using opened = await open();
    const { queries } = opened.database;
    await saveSome(queries);
    const search = searchRepository(queries);
    const [first] = await search.find({ query: 'modem 7', type: undefined, skip: 0, limit: 1 });
    await jkitRepository(queries).remove(first?._id ?? '', 'subject-of-maker');
    await mergeSearchIndex(queries);
    const found = await search.find({ query: 'modem', type: undefined, skip: 0, limit: 1_000 });
    expect(found).toHaveLength(SAVED - 1);
    expect(found.map(({ _id }) => _id)).not.toContain(first?._id);
    // The limit leaves room for one more jkit.
    await saveSome(queries);
    await mergeSearchIndex(queries);
    expect(await search.find({ query: 'modem', type: undefined, skip: 0, limit: 1_000 })).toHaveLength(SAVED);
  });

  it('is left as it is where there is little to gain', async () => {
    await using opened = await open();
    const { queries } = opened.database;
    await mergeSearchIndex(queries);
    expect((await pieces(queries)) ?? 0).toBe(0);
  });
});
