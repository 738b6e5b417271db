import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openDataFile, openDataFolder } from './data-folder.ts';
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
