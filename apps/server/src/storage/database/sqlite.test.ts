import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { openDatabase } from './database.ts';
import { DatabaseUnavailableError } from './database-failure.ts';
import { migrations } from './migrations/index.ts';

const module = fileURLToPath(new URL('./database.ts', import.meta.url));

/** Opens the database at `path` in a separate process when a line arrives, so that all processes begin together. */
function opener(path: string) {
  const script = `
    const { openDatabase } = await import(${JSON.stringify(module)});
    process.stdin.once('data', async () => {
      const database = await openDatabase({ path: ${JSON.stringify(path)} });
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

describe('SQLite', () => {
  it('is written through to the disk before a write is answered', async () => {
    await using folder = await temporaryFolder();
    await using database = await openDatabase({ path: join(folder.path, 'test.sqlite') });
    const pragma = async (name: string) =>
      Object.values(
        (await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(database.queries)).rows[0] ?? {},
      );
    expect(await pragma('journal_mode')).toEqual(['wal']);
    expect(await pragma('synchronous')).toEqual([2]);
    expect(await pragma('foreign_keys')).toEqual([1]);
  });

  it('is for its owner only, with everything beside it', async () => {
    await using folder = await temporaryFolder();
    await using _database = await openDatabase({ path: join(folder.path, 'test.sqlite') });
    const files = await readdir(folder.path);
    expect(files.sort()).toEqual(['test.sqlite', 'test.sqlite-shm', 'test.sqlite-wal']);
    for (const file of files) {
      expect((await stat(join(folder.path, file))).mode & 0o777).toBe(0o600);
    }
  });

  it('is set up once when several processes start on a new folder at the same moment', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'test.sqlite');
    const openers = Array.from({ length: 4 }, () => opener(path));
    await Promise.all(openers.map(({ waiting }) => waiting));
    for (const { child } of openers) {
      child.stdin.write('go\n');
    }
    const exits = await Promise.all(openers.map(({ exited }) => exited));
    expect(exits).toEqual(openers.map(() => [0, null]));
    const database = new DatabaseSync(path);
    const steps = database.prepare('select name from kysely_migration order by name').all();
    expect(steps.map(({ name }) => name)).toEqual(Object.keys(migrations));
    expect(database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
    database.close();
  }, 30_000);

  it('is away, and not broken, while another process holds its lock', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'test.sqlite');
    await using database = await openDatabase({ path, busyTimeout: 0 });
    const other = new DatabaseSync(path);
    other.exec('begin immediate');
    const write = () => database.queries.deleteFrom('feedback').execute();
    await expect(write()).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await expect(database.check()).resolves.toBeUndefined();
    other.exec('rollback');
    await expect(write()).resolves.toBeDefined();
    other.close();
  });

  it('says what failed when it has rolled back by itself, as it does on a full disk', async () => {
    await using folder = await temporaryFolder();
    await using database = await openDatabase({ path: join(folder.path, 'test.sqlite') });
    const insert = sql`insert or rollback into feedback values ('1', 'a', 'a', 'm', 's', '2026-11-20T12:00:00.000Z')`;
    const failing = database.queries.transaction().execute(async (transaction) => {
      await insert.execute(transaction);
      await insert.execute(transaction);
    });
    await expect(failing).rejects.toHaveProperty('constraint', 'unique');
    await expect(
      database.queries.transaction().execute((transaction) => insert.execute(transaction)),
    ).resolves.toBeDefined();
  });

  it('does not take a wrong query for a database that is away', async () => {
    await using folder = await temporaryFolder();
    await using database = await openDatabase({ path: join(folder.path, 'test.sqlite') });
    const wrong = sql`select * from nowhere`.execute(database.queries);
    await expect(wrong).rejects.toThrow('no such table: nowhere');
    await expect(wrong).rejects.not.toBeInstanceOf(DatabaseUnavailableError);
  });

  it('goes on after rows whose numbers no JavaScript number can hold, as full-text indexes write them', async () => {
    await using folder = await temporaryFolder();
    await using database = await openDatabase({ path: join(folder.path, 'test.sqlite') });
    const { queries } = database;
    await sql`create table big (number integer primary key)`.execute(queries);
    await expect(sql`insert into big values (9007199254740993)`.execute(queries)).resolves.toMatchObject({
      insertId: 9_007_199_254_740_993n,
    });
    await expect(sql`update big set number = number`.execute(queries)).resolves.toMatchObject({ numAffectedRows: 1n });
    const rolledBack = queries.transaction().execute(async () => {
      throw new Error('changed my mind');
    });
    await expect(rolledBack).rejects.toThrow('changed my mind');
  });

  it('refuses a file that is no database, and leaves it as it is', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'test.sqlite');
    await writeFile(path, 'notes of somebody else, long enough to be looked at as a header of 100 bytes'.repeat(3));
    await expect(openDatabase({ path })).rejects.toThrow('file is not a database');
  });
});
