import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { openDatabase, type Queries } from './database.ts';
import { DatabaseUnavailableError } from './database-failure.ts';
import { SqliteThread } from './sqlite-thread.ts';
import { inTransaction } from './transaction.ts';

/** Runs for some hundred milliseconds. */
const slow = (queries: Queries) =>
  sql<{ n: number }>`
    with recursive counted (n) as (select 1 union all select n + 1 from counted where n < 2000000)
    select max(n) as n from counted`.execute(queries);

const row = (id: string) => ({ id, email: 'a', email_key: 'a', message: 'm', subject: 's', created_at: '2026' });
const ids = async (queries: Queries) =>
  (await queries.selectFrom('feedback').select('id').orderBy('id').execute()).map(({ id }) => id);

async function start() {
  const folder = await temporaryFolder();
  const database = await openDatabase({ path: join(folder.path, 'test.sqlite') });
  return {
    queries: database.queries,
    [Symbol.asyncDispose]: async () => {
      await database.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

describe('SQLite on threads', () => {
  it('lets the event loop, other reads and writes go on while a read takes long', async () => {
    await using test = await start();
    const { queries } = test;
    // Starts both readers.
    await Promise.all(Array.from({ length: 20 }, () => ids(queries)));
    const events: string[] = [];
    const reading = slow(queries).then(({ rows }) => events.push(`slow ${rows[0]?.n}`));
    await queries.insertInto('feedback').values(row('1')).execute();
    events.push('written');
    expect(await ids(queries)).toEqual(['1']);
    events.push('read');
    for (let turn = 0; turn < 100; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    events.push('100 turns');
    await reading;
    expect(events).toEqual(['written', 'read', '100 turns', 'slow 2000000']);
  });

  it('lets the event loop and reads go on while a write takes long, and reads see it afterwards', async () => {
    await using test = await start();
    const { queries } = test;
    await queries.insertInto('feedback').values(row('before')).execute();
    const events: string[] = [];
    const writing = inTransaction(queries, async (transaction) => {
      await transaction.insertInto('feedback').values(row('during')).execute();
      await slow(transaction);
    }).then(() => events.push('written'));
    expect(await ids(queries)).toEqual(['before']);
    events.push('read');
    await writing;
    expect(await ids(queries)).toEqual(['before', 'during']);
    expect(events).toEqual(['read', 'written']);
  });

  it('shows every writer its own writes, however many write and read at once', async () => {
    await using test = await start();
    const { queries } = test;
    const seen = await Promise.all(
      Array.from({ length: 200 }, async (_, number) => {
        await queries
          .insertInto('feedback')
          .values(row(String(number)))
          .execute();
        return (await ids(queries)).includes(String(number));
      }),
    );
    expect(seen.every((isThere) => isThere)).toBe(true);
  });

  it('keeps single writes out of other transactions', async () => {
    await using test = await start();
    const { queries } = test;
    const between = Promise.withResolvers<void>();
    const failing = inTransaction(queries, async (transaction) => {
      await transaction.insertInto('feedback').values(row('rolled back')).execute();
      await between.promise;
      throw new Error('changed my mind');
    });
    const single = queries.insertInto('feedback').values(row('kept')).execute();
    await ids(queries);
    between.resolve();
    await expect(failing).rejects.toThrow('changed my mind');
    await single;
    expect(await ids(queries)).toEqual(['kept']);
  });

  it('gives bytes, large numbers and nothing back as they are', async () => {
    await using test = await start();
    const { rows } = await sql`
      select ${new Uint8Array([0, 255])} as bytes, ${2 ** 52} as number, ${null} as empty, ${'ö'} as text
    `.execute(test.queries);
    expect(rows).toEqual([{ bytes: new Uint8Array([0, 255]), number: 2 ** 52, empty: null, text: 'ö' }]);
  });
});

describe('the thread of an SQLite file', () => {
  const run = (statement: string, inTransaction: boolean) =>
    ({ kind: 'run', sql: statement, parameters: [], inTransaction }) as const;

  it('rejects its callers when it ends, and the next one continues no transaction', async () => {
    await using folder = await temporaryFolder();
    const file = { path: join(folder.path, 'test.sqlite'), synchronous: 'full' as const, busyTimeout: 0 };
    await using thread = new SqliteThread({ file, access: 'write' });
    await thread.run(run('create table words (word text)', false));
    await thread.run(run('begin immediate', false));
    await thread.run(run("insert into words values ('lost')", true));
    // The statement is finite, because a thread ends only after its statement.
    const waiting = thread.run(
      run(
        'with recursive n (n) as (select 1 union all select n + 1 from n where n < 3000000) select max(n) from n',
        true,
      ),
    );
    const ended = waiting.catch((error: unknown) => error);
    await thread[Symbol.asyncDispose]();
    expect(await ended).toBeInstanceOf(DatabaseUnavailableError);

    await expect(thread.run(run("insert into words values ('alone')", true))).rejects.toBeInstanceOf(
      DatabaseUnavailableError,
    );
    await expect(thread.run({ kind: 'rollback' })).resolves.toEqual({ rows: [] });
    await thread.run(run("insert into words values ('kept')", false));
    expect((await thread.run(run('select word from words', false))).rows).toEqual([{ word: 'kept' }]);
    await thread.run({ kind: 'close' });
  });
});
