import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newBlobKey } from '../storage/blobs/blob-store.ts';
import { dataFolder, filesBelow, sha256 } from '../testing/backup-data.ts';
import { signIn } from '../testing/sign-in.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { startTestServer } from '../testing/test-server.ts';
import { blobKeys } from './blob-keys.ts';
import { backUp, restore } from './commands.ts';
import { createBackup } from './create-backup.ts';
import { blobFile } from './data-files.ts';
import { restoreBackup } from './restore-backup.ts';

describe('backup', () => {
  it('restores rows, keys and sessions of a running server', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'wirebench.tar');
    const send = (address: string, token: string) =>
      fetch(`${address}/api/feedback`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'x', message: 'Said before the backup was made' }),
      });
    await using server = await startTestServer();
    const { access_token } = await signIn(server.address, 'admin');
    expect((await send(server.address, access_token)).status).toBe(201);
    const summary = await backUp({ DATA_DIR: server.dataDir }, file);
    // Two databases, the keys, three files of the demo release, and the probe for two chips.
    expect(summary).toMatchObject({ file, files: 8 });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await send(server.address, access_token)).status).toBe(201);

    const dataDir = join(folder.path, 'restored');
    await restore({ DATA_DIR: dataDir }, file);
    expect((await filesBelow(dataDir)).sort()).toEqual([
      ...Array.from({ length: 5 }, () => expect.stringMatching(/^firmware\/blobs\//)),
      'identity-keys.json',
      'identity.sqlite',
      'wirebench.sqlite',
    ]);
    for (const name of await filesBelow(dataDir)) {
      expect((await stat(join(dataDir, name))).mode & 0o777).toBe(0o600);
    }
    await using again = await startTestServer({ DATA_DIR: dataDir, PUBLIC_URL: server.address });
    const stats = await fetch(`http://127.0.0.1:${again.port}/api/feedback/stats`, {
      headers: { authorization: `Bearer ${access_token}` },
    });
    // The token is valid on the new server, because the keys were copied. The second message came after the
    // backup.
    expect(await stats.json()).toMatchObject({ totalFeedbacks: 1 });
  });

  it('restores the bytes of every version and no others', async () => {
    await using folder = await temporaryFolder();
    using data = await dataFolder(join(folder.path, 'data'));
    const kept = await data.add('1', 'bytes of one');
    const stray = join(data.dataDir, blobFile(newBlobKey(sha256('stray'))));
    await mkdir(dirname(stray), { recursive: true });
    await writeFile(stray, 'stray');
    const file = join(folder.path, 'a.tar');
    await createBackup({ dataDir: data.dataDir, file });
    const dataDir = join(folder.path, 'restored');
    await restoreBackup({ file, dataDir });
    const name = kept.slice(data.dataDir.length + 1);
    expect(await filesBelow(dataDir)).toEqual(expect.arrayContaining([name, 'wirebench.sqlite']));
    expect(await filesBelow(dataDir)).toHaveLength(2);
    expect(await readFile(join(dataDir, name), 'utf8')).toBe('bytes of one');
  });

  it('is consistent while the server adds and removes files', async () => {
    await using folder = await temporaryFolder();
    using data = await dataFolder(join(folder.path, 'data'));
    let stopped = false;
    const writing = (async () => {
      const present: [string, string][] = [];
      for (let id = 0; !stopped; id++) {
        present.push([String(id), await data.add(String(id), `bytes of ${id}`.repeat(100))]);
        const oldest = present.length > 40 ? present.shift() : undefined;
        if (oldest !== undefined) {
          await data.remove(...oldest);
        }
      }
      return present.length;
    })();
    try {
      for (let round = 0; round < 8; round++) {
        const file = join(folder.path, `${round}.tar`);
        const dataDir = join(folder.path, `restored-${round}`);
        await createBackup({ dataDir: data.dataDir, file });
        await restoreBackup({ file, dataDir });
        for (const key of blobKeys(join(dataDir, 'wirebench.sqlite'))) {
          expect(sha256(await readFile(join(dataDir, blobFile(key))))).toBe(key.slice(0, 64));
        }
      }
    } finally {
      stopped = true;
      await writing;
    }
    expect((await readdir(data.dataDir)).filter((name) => name.startsWith('.'))).toEqual([]);
  }, 60_000);

  it('is an archive that tar and sha256sum understand', async () => {
    await using folder = await temporaryFolder();
    using data = await dataFolder(join(folder.path, 'data'));
    await data.add('1', 'bytes of one');
    const file = join(folder.path, 'a.tar');
    await createBackup({ dataDir: data.dataDir, file });
    const listed = spawnSync('tar', ['-tf', file], { encoding: 'utf8' });
    if (listed.error === undefined) {
      const names = listed.stdout.trim().split('\n');
      expect([names[0], names.at(-1)]).toEqual(['wirebench-backup.json', 'SHA256SUMS']);
    }
    const text = await readFile(file, 'latin1');
    expect(text).toContain(`${sha256('bytes of one')}  firmware/blobs/`);
  });

  it('overwrites no file, and leaves none behind when it fails', async () => {
    await using folder = await temporaryFolder();
    using data = await dataFolder(join(folder.path, 'data'));
    const file = join(folder.path, 'a.tar');
    await writeFile(file, 'mine');
    await expect(createBackup({ dataDir: data.dataDir, file })).rejects.toMatchObject({
      lines: [`${file} already exists: choose another name, or move that file.`],
    });
    expect(await readFile(file, 'utf8')).toBe('mine');
    const nowhere = join(folder.path, 'nowhere', 'a.tar');
    await expect(createBackup({ dataDir: data.dataDir, file: nowhere })).rejects.toMatchObject({
      lines: [`${nowhere} cannot be written (ENOENT): free some space, or choose another location.`],
    });
    expect((await readdir(folder.path)).sort()).toEqual(['a.tar', 'data']);
    expect((await readdir(data.dataDir)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('is refused for a folder without data, lost bytes and a database that is elsewhere', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'a.tar');
    await expect(backUp({ DATA_DIR: folder.path }, file)).rejects.toThrow(
      `There is nothing to back up in ${folder.path}`,
    );
    using data = await dataFolder(join(folder.path, 'data'));
    await rm(await data.add('1', 'bytes'));
    await expect(createBackup({ dataDir: data.dataDir, file })).rejects.toThrow('are missing, or disappear before');
    const elsewhere = { DATA_DIR: data.dataDir, DATABASE_URL: 'postgres://localhost/wirebench' };
    await expect(backUp(elsewhere, file)).rejects.toThrow(
      'back up PostgreSQL with its own tools, see docs/operating.md',
    );
    expect(await readdir(folder.path)).toEqual(['data']);
  });
});
