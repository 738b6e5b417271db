import { mkdir, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { lockDataFolder, openDataFile, openDataFolder } from './data-folder.ts';
import { openDatabase } from './database/database.ts';

describe('data folder', () => {
  it('is created with its parent folders, for its owner only', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'deep', 'data');
    expect(await openDataFolder(path)).toBe(path);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    expect(await openDataFolder(path)).toBe(path);
  });

  it('is refused with a line that names it if it is a file', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'data');
    await writeFile(path, '');
    await expect(openDataFolder(path)).rejects.toMatchObject({
      lines: [`DATA_DIR ${path} cannot be written to (EEXIST): make it writable, or set DATA_DIR to another folder.`],
    });
  });

  it.runIf(process.platform === 'linux')(
    'is refused without a wait below a folder that cannot be written to',
    async () => {
      await expect(openDataFolder('/proc/wirebench/data')).rejects.toMatchObject({
        lines: [
          'DATA_DIR /proc/wirebench/data cannot be written to (ENOENT): make it writable, or set DATA_DIR to another folder.',
        ],
      });
    },
  );

  it('reports which program holds a file', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'test.sqlite');
    await using _made = await openDatabase({ path });
    const other = new DatabaseSync(path);
    other.exec('begin immediate; delete from kysely_migration');
    await expect(openDataFile(path, (file) => openDatabase({ path: file, busyTimeout: 0 }))).rejects.toMatchObject({
      lines: [
        `${path} cannot be opened (database is locked): stop the program that has it open, free disk space, or set DATA_DIR to another folder.`,
      ],
    });
    other.close();
  });

  it('reports a file that is a folder', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'test.sqlite');
    await mkdir(path);
    await expect(openDataFile(path, (file) => openDatabase({ path: file }))).rejects.toThrow(
      `${path} cannot be opened (EISDIR): restore it from a backup, or set DATA_DIR to another folder.`,
    );
  });
});

describe('lock of the data folder', () => {
  const inUse =
    /^DATA_DIR \S+ is in use by another server \(version \d\S*, process \d+ on \S+\): stop that server first, or set DATA_DIR to another folder\./;

  it('is given to one server, and again once it is free', async () => {
    await using folder = await temporaryFolder();
    const first = await lockDataFolder(folder.path);
    await expect(lockDataFolder(folder.path)).rejects.toThrow(inUse);
    await expect(lockDataFolder(folder.path)).rejects.toThrow(`process ${process.pid} on ${hostname()}`);
    first[Symbol.dispose]();
    (await lockDataFolder(folder.path))[Symbol.dispose]();
  });

  it('is given to one of several servers that start at once', async () => {
    await using folder = await temporaryFolder();
    const started = await Promise.allSettled(Array.from({ length: 8 }, () => lockDataFolder(folder.path)));
    expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is refused while a server without a lock has the database open', async () => {
    await using folder = await temporaryFolder();
    const older = await openDatabase({ path: join(folder.path, 'wirebench.sqlite') });
    for (const _ of [1, 2]) {
      await expect(lockDataFolder(folder.path)).rejects.toThrow(
        `DATA_DIR ${folder.path} is in use: another program has wirebench.sqlite open, such as a server of an older version. Stop it first, or set DATA_DIR to another folder.`,
      );
    }
    await older.close();
    (await lockDataFolder(folder.path))[Symbol.dispose]();
  });

  it('does not mind a backup that reads the database', async () => {
    await using folder = await temporaryFolder();
    await using _database = await openDatabase({ path: join(folder.path, 'wirebench.sqlite') }).then(async (made) => {
      await made.close();
      (await lockDataFolder(folder.path))[Symbol.dispose]();
      return openDatabase({ path: join(folder.path, 'wirebench.sqlite') });
    });
    (await lockDataFolder(folder.path))[Symbol.dispose]();
  });
});
