import { describe, expect, it } from 'vitest';
import { databaseKinds } from '../../testing/databases.ts';
import type { Queries } from './database.ts';

const row = (id: string) => ({
  id,
  email: 'a',
  email_key: 'a',
  message: 'm',
  subject: 's',
  created_at: '2026-11-20T12:00:00.000Z',
});

const count = async (queries: Queries) =>
  Number(
    (
      await queries
        .selectFrom('feedback')
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );

describe.each(databaseKinds)('database on $name', ({ open }) => {
  it('answers', async () => {
    await using opened = await open();
    await expect(opened.database.check()).resolves.toBeUndefined();
  });

  it('keeps nothing of a transaction that failed', async () => {
    await using opened = await open();
    const { queries } = opened.database;
    const failing = queries.transaction().execute(async (transaction) => {
      await transaction.insertInto('feedback').values(row('1')).execute();
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await count(queries)).toBe(0);
  });

  it('runs transactions one after the other, so that a rule read inside one still holds when it writes', async () => {
    await using opened = await open();
    const { queries } = opened.database;
    const limit = 3;
    const insertBelowLimit = (id: number) =>
      queries.transaction().execute(async (transaction) => {
        if ((await count(transaction)) < limit) {
          await transaction
            .insertInto('feedback')
            .values(row(String(id)))
            .execute();
        }
      });
    await Promise.all(Array.from({ length: 20 }, (_, id) => insertBelowLimit(id)));
    expect(await count(queries)).toBe(limit);
  });
});
