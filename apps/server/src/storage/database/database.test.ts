import { describe, expect, it } from 'vitest';
import { databaseKinds } from '../../testing/databases.ts';
import { openDatabase, type Queries } from './database.ts';
import { ConstraintError } from './database-failure.ts';
import { inTransaction } from './transaction.ts';

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

describe.each(databaseKinds)('database on $name', ({ name, open, place: openPlace }) => {
  it('answers', async () => {
    await using opened = await open();
    await expect(opened.database.check()).resolves.toBeUndefined();
  });

  it('has another content version after each commit, its own and those of others, or says that it does not know', async () => {
    await using place = await openPlace();
    await using one = await openDatabase(place.options);
    await using other = await openDatabase(place.options);
    const versions = [one.contentVersion()];
    for (const [index, { queries }] of [one, other, one].entries()) {
      expect(one.contentVersion()).toBe(versions.at(-1));
      await queries
        .insertInto('feedback')
        .values(row(String(index)))
        .execute();
      versions.push(one.contentVersion());
    }
    expect(new Set(versions).size).toBe(name === 'SQLite' ? 4 : 1);
    if (name === 'PostgreSQL') {
      expect(versions[0]).toBeNull();
    }
  });

  it('keeps nothing of a transaction that failed', async () => {
    await using opened = await open();
    const { queries } = opened.database;
    const failing = inTransaction(queries, async (transaction) => {
      await transaction.insertInto('feedback').values(row('1')).execute();
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await count(queries)).toBe(0);
  });

  it('runs transactions with the same lock one after the other: what one counts still holds when it writes', async () => {
    await using opened = await open();
    const { queries } = opened.database;
    const limit = 3;
    const insertBelowLimit = (id: number) =>
      inTransaction(
        queries,
        async (transaction) => {
          if ((await count(transaction)) < limit) {
            await transaction
              .insertInto('feedback')
              .values(row(String(id)))
              .execute();
          }
        },
        { lock: 'feedback of a test' },
      );
    await Promise.all(Array.from({ length: 30 }, (_, id) => insertBelowLimit(id)));
    expect(await count(queries)).toBe(limit);
  });

  it('lets one of many rows with the same key in, and says why the others stay out', async () => {
    await using opened = await open();
    const { queries } = opened.database;
    const insert = () => queries.insertInto('feedback').values(row('same')).execute();
    const results = await Promise.allSettled(Array.from({ length: 20 }, insert));
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(failures).toHaveLength(19);
    for (const failure of failures) {
      expect(failure).toBeInstanceOf(ConstraintError);
      expect(failure).toHaveProperty('constraint', 'unique');
    }
  });

  it('says why a row stays out that names one that is not there', async () => {
    await using opened = await open();
    const star = opened.database.queries
      .insertInto('jkit_stars')
      .values({ subject: 's', jkit: 7, created_at: '2026-11-20T12:00:00.000Z' })
      .execute();
    await expect(star).rejects.toBeInstanceOf(ConstraintError);
    await expect(star).rejects.toHaveProperty('constraint', 'foreign-key');
  });

  it('gives counts as numbers', async () => {
    await using opened = await open();
    const counted = await opened.database.queries
      .selectFrom('feedback')
      .select(({ fn }) => fn.countAll().as('n'))
      .executeTakeFirstOrThrow();
    expect(counted).toEqual({ n: 0 });
  });
});
