import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { newBlobKey } from '../storage/blobs/blob-store.ts';
import { openDatabase } from '../storage/database/database.ts';
import { signIn } from '../testing/sign-in.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { startTestServer } from '../testing/test-server.ts';
import { blobKeys } from './blob-keys.ts';
import { backUp, restore } from './commands.ts';
import { createBackup } from './create-backup.ts';
import { blobFile } from './data-files.ts';
import { restoreBackup } from './restore-backup.ts';
import { TarWriter } from './tar.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

/** A data folder with the tables of the product and one project, and the way that versions come into it and leave. */
async function dataFolder(dataDir: string) {
  await mkdir(dataDir);
  const path = join(dataDir, 'wirebench.sqlite');
  await (await openDatabase({ path })).close();
  const database = new DatabaseSync(path, { timeout: 5_000 });
  const now = new Date(0).toISOString();
  database
    .prepare(
      "insert into firmware_projects values ('p', 's', 'maker', 'P', 'p', '', 'esp', 'esp32', 0, 0, 'share', 0, ?, ?)",
    )
    .run(now, now);
  return {
    dataDir,
    /** Stores the bytes before the rows, as uploads do. Returns the path of the bytes. */
    async add(id: string, content: string): Promise<string> {
      const hash = sha256(content);
      const key = newBlobKey(hash);
      const file = join(dataDir, blobFile(key));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
      database.exec('begin immediate');
      database
        .prepare("insert into firmware_versions values (?, 'p', ?, ?, '', 0, ?, null, null, null, ?)")
        .run(id, id, id, id, now);
      database.prepare('insert into firmware_blobs values (?, ?, ?)').run(hash, key, content.length);
      database
        .prepare("insert into firmware_files values (?, ?, 'app.bin', ?, 0, ?)")
        .run(id, id, content.length, hash);
      database.exec('commit');
      return file;
    },
    /** Removes the bytes after the rows, as the server does. */
    async remove(id: string, file: string): Promise<void> {
      const { sha256: hash } = database.prepare('select sha256 from firmware_files where id = ?').get(id) ?? {};
      database.exec('begin immediate');
      database.prepare('delete from firmware_files where id = ?').run(id);
      database.prepare('delete from firmware_versions where id = ?').run(id);
      database.prepare('delete from firmware_blobs where sha256 = ?').run(hash ?? null);
      database.exec('commit');
      await rm(file);
    },
    [Symbol.dispose]: () => database.close(),
  };
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

describe('backup', () => {
  it('of a running server brings everything back: rows, keys, sessions', async () => {
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
    // Two databases, the keys, and the file of the demo release.
    expect(summary).toMatchObject({ file, files: 4 });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await send(server.address, access_token)).status).toBe(201);

    const dataDir = join(folder.path, 'restored');
    await restore({ DATA_DIR: dataDir }, file);
    expect((await filesBelow(dataDir)).sort()).toEqual([
      expect.stringMatching(/^firmware\/blobs\//),
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
    // The token is good there too, because the keys came along; the second message came too late.
    expect(await stats.json()).toMatchObject({ totalFeedbacks: 1 });
  });

  it('brings back the bytes of every version, and nothing that no version has', async () => {
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

  it('is consistent however much is written and removed meanwhile', async () => {
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

  it('overwrites nothing, and leaves nothing where it could not be made', async () => {
    await using folder = await temporaryFolder();
    using data = await dataFolder(join(folder.path, 'data'));
    const file = join(folder.path, 'a.tar');
    await writeFile(file, 'mine');
    await expect(createBackup({ dataDir: data.dataDir, file })).rejects.toMatchObject({
      lines: [`${file} exists already: choose another name, or move that file away.`],
    });
    expect(await readFile(file, 'utf8')).toBe('mine');
    const nowhere = join(folder.path, 'nowhere', 'a.tar');
    await expect(createBackup({ dataDir: data.dataDir, file: nowhere })).rejects.toMatchObject({
      lines: [`${nowhere} cannot be written (ENOENT): make room, or choose another place.`],
    });
    expect((await readdir(folder.path)).sort()).toEqual(['a.tar', 'data']);
    expect((await readdir(data.dataDir)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('is not made of a folder without data, of lost bytes, or of a database that is elsewhere', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'a.tar');
    await expect(backUp({ DATA_DIR: folder.path }, file)).rejects.toThrow(
      `There is nothing to back up in ${folder.path}`,
    );
    using data = await dataFolder(join(folder.path, 'data'));
    await rm(await data.add('1', 'bytes'));
    await expect(createBackup({ dataDir: data.dataDir, file })).rejects.toThrow('are missing, or go faster');
    const elsewhere = { DATA_DIR: data.dataDir, DATABASE_URL: 'postgres://localhost/wirebench' };
    await expect(backUp(elsewhere, file)).rejects.toThrow(
      'back up PostgreSQL with its own tools, see docs/operating.md',
    );
    expect(await readdir(folder.path)).toEqual(['data']);
  });
});

describe('restore', () => {
  async function madeBackup(folder: string): Promise<string> {
    using data = await dataFolder(join(folder, 'data'));
    await data.add('1', 'bytes of one'.repeat(1_000));
    const file = join(folder, 'a.tar');
    await createBackup({ dataDir: data.dataDir, file });
    return file;
  }

  it('touches no folder that has something in it', async () => {
    await using folder = await temporaryFolder();
    const file = await madeBackup(folder.path);
    const dataDir = join(folder.path, 'data');
    const before = await filesBelow(dataDir);
    await expect(restoreBackup({ file, dataDir })).rejects.toThrow(`${dataDir} is not empty`);
    expect(await filesBelow(dataDir)).toEqual(before);
  });

  it('takes an empty folder that is there', async () => {
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
    // Headers, the label, the database, the firmware bytes, the hashes: wherever there is something but padding.
    const filled = [...whole.keys()].filter((position) => whole[position] !== 0);
    const positions = Array.from({ length: 40 }, (_, part) => filled[Math.floor((filled.length / 40) * part)] ?? 0);
    for (const position of positions) {
      const changed = Buffer.from(whole);
      changed[position] = (whole[position] ?? 0) ^ 1;
      await writeFile(file, changed);
      for (const dataDir of [empty, join(folder.path, 'new')]) {
        await expect(restoreBackup({ file, dataDir }), `byte ${position}`).rejects.toThrow('is no whole backup');
      }
    }
    expect(await readdir(empty)).toEqual([]);
    expect((await readdir(folder.path)).sort()).toEqual(['a.tar', 'data', 'empty']);
  });

  it.each([20_000, 3_000, 1_500])('finds that the last %d bytes are missing', async (missing) => {
    await using folder = await temporaryFolder();
    const file = await madeBackup(folder.path);
    await truncate(file, (await stat(file)).size - missing);
    await expect(restoreBackup({ file, dataDir: join(folder.path, 'new') })).rejects.toThrow('is no whole backup');
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
        `${name} does not belong there`,
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

  it('needs a file', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'missing.tar');
    await expect(restoreBackup({ file, dataDir: join(folder.path, 'new') })).rejects.toMatchObject({
      lines: [`${file} cannot be read (ENOENT): name a file that npm run backup wrote.`],
    });
  });
});

describe('the commands', () => {
  const run = (script: string, args: readonly string[], cwd: string, environment: Record<string, string>) =>
    spawnSync(process.execPath, [join(root, 'scripts', script), ...args], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, INIT_CWD: cwd, ...environment },
    });

  it('say in one line what they did, or what to do', async () => {
    await using folder = await temporaryFolder();
    using data = await dataFolder(join(folder.path, 'data'));
    await data.add('1', 'bytes');
    const made = run('backup.ts', ['a.tar'], folder.path, { DATA_DIR: data.dataDir });
    expect([made.stderr, made.stdout, made.status]).toEqual([
      '',
      expect.stringMatching(/^Backed up: 2 files, \d+\.\d MB, .+\/a\.tar\n$/),
      0,
    ]);
    const refused = run('restore.ts', ['a.tar'], folder.path, { DATA_DIR: data.dataDir });
    expect([refused.stdout, refused.status]).toEqual(['', 1]);
    expect(refused.stderr).toMatch(/^\S+ is not empty: .+\n$/);
    const restored = run('restore.ts', ['a.tar'], folder.path, { DATA_DIR: join(folder.path, 'new') });
    expect([restored.stderr, restored.status]).toEqual(['', 0]);
    const usage = run('backup.ts', [], folder.path, {});
    expect([usage.stderr, usage.status]).toEqual(['Usage: npm run backup -- <file>\n', 1]);
  }, 60_000);
});
