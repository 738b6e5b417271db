import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { dataFolder, filesBelow } from '../testing/backup-data.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { createBackup } from './create-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { TarWriter } from './tar.ts';

describe('restore', () => {
  async function madeBackup(folder: string): Promise<string> {
    using data = await dataFolder(join(folder, 'data'));
    await data.add('1', 'bytes of one'.repeat(1_000));
    const file = join(folder, 'a.tar');
    await createBackup({ dataDir: data.dataDir, file });
    return file;
  }

  it('refuses a folder that has something in it', async () => {
    await using folder = await temporaryFolder();
    const file = await madeBackup(folder.path);
    const dataDir = join(folder.path, 'data');
    const before = await filesBelow(dataDir);
    await expect(restoreBackup({ file, dataDir })).rejects.toThrow(`${dataDir} is not empty`);
    expect(await filesBelow(dataDir)).toEqual(before);
  });

  it('accepts an empty folder', async () => {
    await using folder = await temporaryFolder();
    const file = await madeBackup(folder.path);
    const dataDir = join(folder.path, 'mounted');
    await mkdir(dataDir);
    expect((await restoreBackup({ file, dataDir })).files).toBe(2);
  });

  it('finds every changed byte, and leaves the folder as it was', async () => {
    await using folder = await temporaryFolder();
    const file = await madeBackup(folder.path);
    const whole = await readFile(file);
    const empty = join(folder.path, 'empty');
    await mkdir(empty);
    // Positions in headers, the label, the database, the firmware bytes and the hashes: everywhere except padding.
    const filled = [...whole.keys()].filter((position) => whole[position] !== 0);
    const positions = Array.from({ length: 40 }, (_, part) => filled[Math.floor((filled.length / 40) * part)] ?? 0);
    for (const position of positions) {
      const changed = Buffer.from(whole);
      changed[position] = (whole[position] ?? 0) ^ 1;
      await writeFile(file, changed);
      for (const dataDir of [empty, join(folder.path, 'new')]) {
        await expect(restoreBackup({ file, dataDir }), `byte ${position}`).rejects.toThrow('is not a complete backup');
      }
    }
    expect(await readdir(empty)).toEqual([]);
    expect((await readdir(folder.path)).sort()).toEqual(['a.tar', 'data', 'empty']);
  });

  it.each([20_000, 3_000, 1_500])('finds that the last %d bytes are missing', async (missing) => {
    await using folder = await temporaryFolder();
    const file = await madeBackup(folder.path);
    await truncate(file, (await stat(file)).size - missing);
    await expect(restoreBackup({ file, dataDir: join(folder.path, 'new') })).rejects.toThrow(
      'is not a complete backup',
    );
  });

  it.each(['../outside', '/tmp/outside', 'firmware/blobs/../../outside', 'wirebench.sqlite-wal', 'other.txt'])(
    'writes no file called %s',
    async (name) => {
      await using folder = await temporaryFolder();
      const file = join(folder.path, 'a.tar');
      await using handle = await open(file, 'w');
      const tar = new TarWriter(handle, 0);
      await tar.add({ name, size: 1 }, [Buffer.from('x')]);
      await tar.end();
      await expect(restoreBackup({ file, dataDir: join(folder.path, 'new') })).rejects.toThrow(
        `${name} does not belong in a backup`,
      );
      expect(await readdir(folder.path)).toEqual(['a.tar']);
    },
  );

  it('says that a backup of a newer version needs that version', async () => {
    await using folder = await temporaryFolder();
    using data = await dataFolder(join(folder.path, 'data'));
    const database = new DatabaseSync(join(data.dataDir, 'wirebench.sqlite'));
    database.exec("insert into kysely_migration values ('9999-tomorrow', '2027-01-01')");
    database.close();
    const file = join(folder.path, 'a.tar');
    await createBackup({ dataDir: data.dataDir, file });
    await expect(restoreBackup({ file, dataDir: join(folder.path, 'new') })).rejects.toThrow('made by a newer version');
  });

  it.each([
    ['a label that is no JSON', 'wirebench-backup.json', 'not json', 'made by another program'],
    ['an empty label', 'wirebench-backup.json', '', 'made by another program'],
    ['a label that is half a JSON', 'wirebench-backup.json', '{"product":"wirebench"', 'made by another program'],
    ['a label of another kind', 'wirebench-backup.json', '[]', 'made by another program'],
  ])('says what is wrong with %s', async (_what, name, text, reason) => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'a.tar');
    await using handle = await open(file, 'w');
    const tar = new TarWriter(handle, 0);
    await tar.add({ name, size: Buffer.byteLength(text) }, [Buffer.from(text)]);
    await tar.end();
    await expect(restoreBackup({ file, dataDir: join(folder.path, 'new') })).rejects.toThrow(
      new RegExp(`is not a complete backup .*${reason}`),
    );
  });

  it('reports a database file that is not a database', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'a.tar');
    const label = '{"product":"wirebench","format":1}';
    const database = Buffer.from('not a database'.repeat(100));
    const hash = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');
    const hashes = `${hash(label)}  wirebench-backup.json\n${hash(database)}  wirebench.sqlite\n`;
    await using handle = await open(file, 'w');
    const tar = new TarWriter(handle, 0);
    for (const [name, bytes] of [
      ['wirebench-backup.json', Buffer.from(label)],
      ['wirebench.sqlite', database],
      ['SHA256SUMS', Buffer.from(hashes)],
    ] as const) {
      await tar.add({ name, size: bytes.length }, [bytes]);
    }
    await tar.end();
    await expect(restoreBackup({ file, dataDir: join(folder.path, 'new') })).rejects.toThrow(
      'is not a complete backup (wirebench.sqlite is damaged',
    );
  });

  it('requires a file', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'missing.tar');
    await expect(restoreBackup({ file, dataDir: join(folder.path, 'new') })).rejects.toMatchObject({
      lines: [`${file} cannot be read (ENOENT): choose a file that npm run backup created.`],
    });
  });
});
