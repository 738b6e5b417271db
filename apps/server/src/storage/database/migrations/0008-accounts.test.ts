import type { Kysely } from 'kysely';
import { describe, expect, it } from 'vitest';
import { searchRepository } from '../../../features/jkits/search.repository.ts';
import { fold } from '../../../features/jkits/search-text.ts';
import { keepWords } from '../../../features/jkits/search-words.repository.ts';
import { databaseContents } from '../../../testing/database-contents.ts';
import { databaseKinds } from '../../../testing/databases.ts';
import type { Queries } from '../database.ts';
import { accounts } from './0008-accounts.ts';

const at = '2026-11-20T12:00:00.000Z';
const EMAIL = 'mira@lab.example';
const NEUTRAL = /^Maker [\dA-F]{4}$/;

/** Saves data under a user name, as before accounts existed. */
async function leave(queries: Queries, subject: string, username: string): Promise<void> {
  const id = `left by ${subject.at(-1)}`;
  await queries
    .insertInto('firmware_projects')
    .values({
      id,
      subject,
      publisher: username,
      name: id,
      name_key: id,
      description: '',
      device_family: 'esp',
      device_model: 'esp32',
      is_public: 1,
      is_demo: 0,
      share_id: id,
      revision: 1,
      created_at: at,
      updated_at: at,
    })
    .execute();
  await queries
    .insertInto('firmware_history')
    .values({ id, project_id: id, at, action: 'project-created', actor: username })
    .execute();
  await queries
    .insertInto('publishing_tokens')
    .values({ id, subject, username, name: 'CI', secret_hash: id, created_at: at, expires_at: at })
    .execute();
  const jkit = {
    id,
    owner: subject,
    publisher: username,
    name: 'Modem',
    name_key: fold('Modem'),
    type: 'uart',
    content: '{"fields":[]}',
    description: '',
    shared: 1,
    tags: '[]',
    version: '1.0.0',
    created_at: at,
    updated_at: at,
  };
  await keepWords(queries, [await queries.insertInto('jkits').values(jkit).returningAll().executeTakeFirstOrThrow()]);
}

describe.each(databaseKinds)('the step to accounts on $name', ({ open }) => {
  it('leaves no e-mail address and no subject where others see it, and every other name as it was', async () => {
    await using opened = await open();
    const { queries } = opened.database;
    await queries.schema.dropTable('accounts').execute();
    await leave(queries, 'subject-1', 'maker');
    await leave(queries, 'subject-2', EMAIL);
    await leave(queries, 'subject-3', 'subject-3');
    await leave(queries, 'subject-4', 'Maker');
    await leave(queries, 'subject-5', 'admin');
    await accounts.up(queries as Kysely<unknown>);

    const rows = await queries.selectFrom('accounts').selectAll().orderBy('subject').execute();
    expect(rows.map(({ subject, public_name }) => [subject, public_name])).toEqual([
      ['subject-1', expect.stringMatching(/^maker$|^Maker [\dA-F]{4}$/)],
      ['subject-2', expect.stringMatching(NEUTRAL)],
      ['subject-3', expect.stringMatching(NEUTRAL)],
      ['subject-4', expect.stringMatching(/^Maker$|^Maker [\dA-F]{4}$/)],
      ['subject-5', expect.stringMatching(NEUTRAL)],
    ]);
    // One of the two users with the same name kept it.
    expect(rows.filter(({ name_key }) => name_key === 'maker')).toHaveLength(1);
    expect(rows.every(({ last_seen_at: seen }) => seen !== null)).toBe(true);

    const names = new Map(rows.map((row) => [row.subject, row.public_name]));
    const contents = await databaseContents(queries);
    expect(JSON.stringify(contents)).not.toContain(EMAIL.split('@')[0]);
    for (const { subject, publisher } of await queries.selectFrom('firmware_projects').selectAll().execute()) {
      expect(publisher).toBe(names.get(subject));
    }
    for (const { owner, publisher } of await queries.selectFrom('jkits').selectAll().execute()) {
      expect(publisher).toBe(names.get(owner ?? ''));
    }
    expect(
      await queries.selectFrom('firmware_history').select('actor').where('actor', 'like', 'subject%').execute(),
    ).toEqual([]);
    const find = async (query: string) =>
      (await searchRepository(queries).find({ query, type: undefined, skip: 0, limit: 20 })).length;
    expect([await find('mira'), await find('lab.example'), await find('modem')]).toEqual([0, 0, 5]);
    expect(await find(names.get('subject-2')?.split(' ')[1] ?? '')).toBeGreaterThan(0);
  });
});
