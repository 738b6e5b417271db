/** SQLite in the test's thread, compared with the product's worker thread. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Call,
  type CallRunner,
  type ConnectionData,
  runOnThread,
  type StartRunner,
} from '../storage/database/sqlite-thread.ts';
import { runInThread } from './sqlite-in-thread.ts';
import { temporaryFolder } from './temporary-folder.ts';

const run = (sql: string, parameters: readonly unknown[] = [], inTransaction = false): Call => ({
  kind: 'run',
  sql,
  parameters,
  inTransaction,
});
const createTable = run('create table words (id integer primary key, word text not null unique, bytes blob)');
const insert = (...values: readonly unknown[]) => run('insert into words values (?, ?, ?)', values);

/** Returns what each runner makes of a conversation with a file of its own: first the thread's, then the test's. */
async function both<Heard>(
  conversation: (runner: CallRunner, path: string) => Promise<Heard>,
  access: ConnectionData['access'] = 'write',
): Promise<readonly Heard[]> {
  const heard: Heard[] = [];
  for (const start of [runOnThread, runInThread] satisfies StartRunner[]) {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'test.sqlite');
    if (access === 'read') {
      await using writer = start({ file: { path, synchronous: 'normal' }, access: 'write' });
      await writer.runAll([createTable, insert(1, 'one', null), { kind: 'close' }]);
    }
    await using runner = start({ file: { path, synchronous: 'normal', busyTimeout: 0 }, access });
    heard.push(await conversation(runner, path));
    await runner.runAll([{ kind: 'close' }]);
  }
  return heard;
}

describe('SQLite in the thread of a test', () => {
  it('returns the rows, numbers and bytes of a worker thread', async () => {
    const [onThread, inThread] = await both((runner) =>
      runner.runAll([
        { kind: 'open' },
        createTable,
        insert(1, 'ö', new Uint8Array([0, 255])),
        insert(2n ** 60n, 'large', null),
        run('select * from words where id = 1'),
        run('select * from words where id = ?', [7]),
        run('update words set word = word || ?', ['!']),
        run('select max(id) + 0.5 as half, cast(max(id) as text) as digits from words'),
      ]),
    );
    expect(inThread).toStrictEqual(onThread);
    expect(onThread?.[3]).toStrictEqual({ rows: [], changes: 1n, insertId: 2n ** 60n });
    expect(onThread?.[4]).toStrictEqual({ rows: [{ id: 1, word: 'ö', bytes: new Uint8Array([0, 255]) }] });
  });

  it('fails with the texts and codes of a worker thread, and continues', async () => {
    const [onThread, inThread] = await both((runner) =>
      runner.runAll([
        createTable,
        insert(1, 'one', null),
        insert(2, 'one', null),
        insert(3, null, null),
        run('selct'),
        run('select ?', [1, 2]),
        run('select word from words', [], true),
        run('begin immediate'),
        run('delete from words', [], true),
        { kind: 'rollback' },
        { kind: 'rollback' },
        run('commit', [], true),
        run('select 9007199254740993 as n'),
        run('select word from words'),
      ]),
    );
    expect(inThread).toStrictEqual(onThread);
    expect(onThread?.filter((outcome) => 'failure' in outcome)).toHaveLength(7);
    expect(onThread?.at(-1)).toEqual({ rows: [{ word: 'one' }] });
  });

  it('refuses a file that is no database, as a worker thread does', async () => {
    const [onThread, inThread] = await both(async (runner, path) => {
      await writeFile(path, 'no database at all'.repeat(100));
      return runner.runAll([{ kind: 'open' }, run('select 1')]);
    });
    expect(inThread).toStrictEqual(onThread);
    expect(onThread?.every((outcome) => 'failure' in outcome)).toBe(true);
  });

  it('refuses to write with read access, as a worker thread does', async () => {
    const [onThread, inThread] = await both(
      (runner) => runner.runAll([insert(2, 'two', null), run('select word from words')]),
      'read',
    );
    expect(inThread).toStrictEqual(onThread);
    expect(onThread).toMatchObject([{ failure: { message: /readonly/ } }, { rows: [{ word: 'one' }] }]);
  });

  it('rejects a parameter that no message can contain, as a worker thread does', async () => {
    const [onThread, inThread] = await both((runner) =>
      runner.runAll([run('select ?', [() => 1])]).catch((error: unknown) => String(error)),
    );
    expect(inThread).toBe(onThread);
    expect(onThread).toContain('DataCloneError');
  });

  it('answers batches in their order, in a later turn of the event loop, from a copy of the parameters', async () => {
    const [onThread, inThread] = await both(async (runner) => {
      await runner.runAll([createTable]);
      const events: unknown[] = [];
      const bytes = new Uint8Array([1]);
      const answers = [
        runner.runAll([insert(1, 'one', bytes)]).then(() => events.push('inserted')),
        runner.runAll([run('select bytes from words')]).then((outcomes) => events.push(...outcomes)),
        runner.runAll([run('selct')]).then(() => events.push('failed')),
      ];
      bytes[0] = 2;
      await Promise.resolve();
      events.push('asked');
      await Promise.all(answers);
      return events;
    });
    expect(inThread).toStrictEqual(onThread);
    expect(onThread).toEqual(['asked', 'inserted', { rows: [{ bytes: new Uint8Array([1]) }] }, 'failed']);
  });
});
