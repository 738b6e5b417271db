import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { describe, expect, it } from 'vitest';
import { jkitRepository } from '../../../features/jkits/jkits.repository.ts';
import { searchRepository } from '../../../features/jkits/search.repository.ts';
import { fold, namePartsOf, searchText } from '../../../features/jkits/search-text.ts';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';
import { openDatabase, type Queries } from '../database.ts';
import { sqliteDialect } from '../sqlite-dialect.ts';
import type { Tables } from '../tables.ts';
import { migrations } from './index.ts';

const OWNER = 'subject-of-maker';
/** More than one batch of the migration. */
const SAVED = 1_203;

/** Fills a database as of before the step. Every seventh jkit is not shared. */
async function fillBefore(path: string): Promise<void> {
  const dialect = sqliteDialect({ path, synchronous: 'normal' });
  await using queries: Queries = new Kysely<Tables>({ dialect });
  const migrator = new Migrator({ db: queries, provider: { getMigrations: async () => ({ ...migrations }) } });
  const { error } = await migrator.migrateTo('0004-tokens');
  expect(error).toBeUndefined();
  await queries.transaction().execute(async (transaction) => {
    for (let number = 1; number <= SAVED; number++) {
      await saveBefore(transaction, number);
    }
  });
}

async function saveBefore(transaction: Queries, number: number): Promise<void> {
  const name = `Modem ${number}`;
  const shared = number % 7 === 0 ? 0 : 1;
  const at = '2026-11-20T12:00:00.000Z';
  const texts = {
    name,
    description: 'Äther',
    publisher: 'maker',
    tags: '["LTE"]',
    version: '1.0.0',
    content: '{"fields":[]}',
  };
  await transaction
    .insertInto('jkits')
    .values({
      ...texts,
      id: `${number}`,
      owner: OWNER,
      name_key: fold(name),
      type: 'uart',
      shared,
      created_at: at,
      updated_at: at,
    })
    .execute();
  if (shared === 1) {
    const text = searchText([name, 'LTE', 'maker', 'Äther']);
    await sql`insert into jkit_search (rowid, text) values (${number}, ${text})`.execute(transaction);
    const parts = namePartsOf(name).map((part) => ({ jkit: number, part }));
    await transaction.insertInto('jkit_name_parts').values(parts).execute();
  }
}

describe('the step that numbers the index of the search downwards', () => {
  it('finds what was shared before it, newest first, and takes in and forgets what comes after it', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'test.sqlite');
    await fillBefore(path);
    await using database = await openDatabase({ path });
    const jkits = jkitRepository(database.queries);
    const search = searchRepository(database.queries);
    const find = async (query: string) =>
      (await search.find({ query, type: undefined, skip: 0, limit: SAVED })).map(({ _id }) => _id);
    const shared = Array.from({ length: SAVED }, (_, index) => SAVED - index).filter((number) => number % 7 !== 0);

    for (const query of ['äth', 'lt', 'ÄTHER lte m']) {
      expect(await find(query)).toEqual(shared.map(String));
    }
    expect(await find('modem 1201')).toEqual(['1201']);
    expect(await find('1197')).toEqual([]);

    const saving = { owner: OWNER, publisher: 'maker', at: '2026-11-21T12:00:00.000Z' };
    await jkits.update('1197', { shared: true }, saving);
    await jkits.update('1201', { name: 'Router', shared: true }, saving);
    await jkits.remove('1', OWNER);
    expect([await find('1197'), await find('1201'), await find('rout')]).toEqual([['1197'], [], ['1201']]);
    expect(await find('äther')).toHaveLength(shared.length);
  });
});
