import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgresPrograms, startCluster, type TestCluster } from '../../testing/postgres.ts';
import { createPostgresDatabase } from '../../testing/postgres-database.ts';
import { openDatabase, type Queries } from './database.ts';
import { DatabaseUnavailableError } from './database-failure.ts';
import { migrations } from './migrations/index.ts';
import { inTransaction } from './transaction.ts';

const module = fileURLToPath(new URL('./database.ts', import.meta.url));

/** Opens the database at `url` in a separate process when a line arrives, so that all processes begin together. */
function opener(url: string) {
  const script = `
    const { openDatabase } = await import(${JSON.stringify(module)});
    process.stdin.once('data', async () => {
      const database = await openDatabase({ url: ${JSON.stringify(url)} });
      await database.check();
      await database.close();
      process.exit(0);
    });
    console.log('waiting');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return { child, waiting: once(child.stdout, 'data'), exited: once(child, 'exit') };
}

/** Returns a function that waits until it has been called twice. */
function barrier() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let reached = 0;
  return () => {
    reached++;
    if (reached === 2) {
      resolve();
    }
    return promise;
  };
}

describe.runIf(findPostgresPrograms() !== null)('PostgreSQL', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster();
  }, 60_000);
  afterAll(() => cluster[Symbol.asyncDispose]());

  it('is set up once when several processes start on an empty database at the same moment', async () => {
    await using place = await createPostgresDatabase(cluster.url());
    const openers = Array.from({ length: 4 }, () => opener(place.url));
    await Promise.all(openers.map(({ waiting }) => waiting));
    for (const { child } of openers) {
      child.stdin.write('go\n');
    }
    const exits = await Promise.all(openers.map(({ exited }) => exited));
    expect(exits).toEqual(openers.map(() => [0, null]));
    const client = new Client(place.url);
    await client.connect();
    const { rows } = await client.query(
      'select name, count(*)::int as times from kysely_migration group by name order by name',
    );
    expect(rows).toEqual(Object.keys(migrations).map((name) => ({ name, times: 1 })));
    await client.end();
  }, 30_000);

  it('is away while it is down, also for interrupted calls, and is used again afterwards', async () => {
    await using place = await createPostgresDatabase(cluster.url());
    await using database = await openDatabase({ url: place.url });
    const sleeping = sql`select pg_sleep(60)`.execute(database.queries);
    const brokenOff = expect(sleeping).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await expect.poll(() => sleepers(database.queries)).toBe(1);
    await cluster.crash();
    await brokenOff;
    await expect(database.check()).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await cluster.restart();
    await expect(database.check()).resolves.toBeUndefined();
  }, 30_000);

  it('cancels a statement that takes too long, and the connection continues', async () => {
    await using place = await createPostgresDatabase(cluster.url());
    await using database = await openDatabase({ url: place.url, statementTimeout: 100 });
    const slow = sql`select pg_sleep(60)`.execute(database.queries);
    await expect(slow).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await expect(database.check()).resolves.toBeUndefined();
  });

  it('retries a transaction that a deadlock has aborted', async () => {
    await using place = await createPostgresDatabase(cluster.url());
    await using database = await openDatabase({ url: place.url });
    const { queries } = database;
    await sql`create table counters (name text primary key, value integer not null)`.execute(queries);
    await sql`insert into counters values ('left', 0), ('right', 0)`.execute(queries);
    const bothAreHere = barrier();
    let runs = 0;
    const addBoth = (first: string, second: string) =>
      inTransaction(queries, async (transaction) => {
        runs++;
        await sql`update counters set value = value + 1 where name = ${first}`.execute(transaction);
        await bothAreHere();
        await sql`update counters set value = value + 1 where name = ${second}`.execute(transaction);
      });
    await Promise.all([addBoth('left', 'right'), addBoth('right', 'left')]);
    const { rows } = await sql`select name, value from counters order by name`.execute(queries);
    expect(rows).toEqual([
      { name: 'left', value: 2 },
      { name: 'right', value: 2 },
    ]);
    expect(runs).toBeGreaterThan(2);
  });

  it('gives up after repeated conflicts, in transactions and in single statements', async () => {
    await using place = await createPostgresDatabase(cluster.url());
    await using database = await openDatabase({ url: place.url });
    await sql`create sequence attempts`.execute(database.queries);
    const conflict = (queries: Queries) =>
      sql`do $$ begin perform nextval('attempts'); raise exception 'conflict' using errcode = '40001'; end $$`.execute(
        queries,
      );
    await expect(inTransaction(database.queries, conflict)).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await expect(conflict(database.queries)).rejects.toBeInstanceOf(DatabaseUnavailableError);
    const { rows } = await sql`select last_value from attempts`.execute(database.queries);
    expect(rows).toEqual([{ last_value: 10 }]);
  });

  it('does not report a wrong query as a database that is away', async () => {
    await using place = await createPostgresDatabase(cluster.url());
    await using database = await openDatabase({ url: place.url });
    const wrong = sql`select * from nowhere`.execute(database.queries);
    await expect(wrong).rejects.toThrow('relation "nowhere" does not exist');
    await expect(wrong).rejects.not.toBeInstanceOf(DatabaseUnavailableError);
  });

  it('has no connection left when it is closed', async () => {
    await using place = await createPostgresDatabase(cluster.url());
    const database = await openDatabase({ url: place.url });
    await Promise.all(Array.from({ length: 5 }, () => database.check()));
    await database.close();
    const client = new Client(cluster.url());
    await client.connect();
    const connected = async () =>
      (await client.query('select 1 from pg_stat_activity where datname = $1', [place.name])).rowCount;
    await expect.poll(connected).toBe(0);
    await client.end();
  });
});

async function sleepers(queries: Queries): Promise<number> {
  const { rows } = await sql`
    select 1 from pg_stat_activity where query = 'select pg_sleep(60)' and state = 'active'`.execute(queries);
  return rows.length;
}
