import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { hashOfKey, newBlobKey } from '../storage/blobs/blob-store.ts';
import { listOf } from '../testing/blob-stores.ts';
import { childEnvironment } from '../testing/child-environment.ts';
import { databaseKinds } from '../testing/databases.ts';
import { actorCalled, firmwareServices } from '../testing/firmware-services.ts';
import { noise } from '../testing/noise.ts';
import { releaseClient } from '../testing/release-client.ts';
import { createBucket, hasS3 } from '../testing/s3-bucket.ts';
import { startSilentServer } from '../testing/silent-server.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { buildTestApp } from '../testing/test-app.ts';
import { isSound, verify, verifyReport } from './command.ts';
import { verifyFiles } from './verify-files.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const cli = join(root, 'apps', 'server', 'src', 'cli.ts');
const timeout = 60_000;
const day = 24 * 3_600_000;

describe.each(databaseKinds)('verifying on $name', ({ place }) => {
  async function start() {
    const stack = new AsyncDisposableStack();
    const { environment } = stack.use(await place());
    const test = stack.use(await buildTestApp({ RATE_LIMIT_WRITES: '0', ...environment }));
    const owner = releaseClient(test.app, await test.bearer());
    const { _id } = await owner.newProject('Blinker');
    for (const version of ['1.0.0', '2.0.0', '3.0.0']) {
      await owner.newVersion(_id, { version, files: [{ name: `${version}.bin`, bytes: noise(5_000) }] });
    }
    const blobs = join(test.dataDir, 'firmware', 'blobs');
    const variables = { DATA_DIR: test.dataDir, ...environment };
    return {
      owner,
      dataDir: test.dataDir,
      run: (repair = false) => verify(variables, { repair }),
      /** Runs the command and returns its exit code and output. */
      command: (...args: string[]) => {
        const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'verify', ...args], {
          cwd: test.dataDir,
          encoding: 'utf8',
          env: { ...childEnvironment(), ...variables },
        });
        return { status, stdout, stderr };
      },
      pathOf: async (fileName: string) => {
        const version = (await owner.projects())[0]?.versions.find(({ files }) => files[0]?.fileName === fileName);
        const hash = version?.files[0]?.sha256 ?? '';
        const name = (await readdir(join(blobs, hash.slice(0, 2)))).find((entry) => entry.startsWith(hash));
        return join(blobs, hash.slice(0, 2), name ?? '');
      },
      /** Stores bytes of this age that no version uses, and returns their path. */
      addOrphan: async (age: number) => {
        const key = newBlobKey(randomBytes(32).toString('hex'));
        const folder = join(blobs, key.slice(0, 2));
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, key), 'orphan');
        const storedAt = (Date.now() - age) / 1_000;
        await utimes(join(folder, key), storedAt, storedAt);
        return join(folder, key);
      },
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  }

  it('finds no fault in a sound store while the server runs', async () => {
    await using test = await start();
    const result = await test.run();
    expect(isSound(result)).toBe(true);
    // The count includes the files of the product's own releases, some of which may be identical.
    expect(verifyReport(result)).toMatch(/^\d files of versions, \d+\.\d MB: 0 missing, 0 damaged; 0 orphaned$/);
  });

  it(
    'lists missing, damaged and orphaned bytes with their versions, and exits with 1',
    async () => {
      await using test = await start();
      await rm(await test.pathOf('1.0.0.bin'));
      await truncate(await test.pathOf('2.0.0.bin'), 4_999);
      const changed = await test.pathOf('3.0.0.bin');
      const bytes = await readFile(changed);
      bytes[4_000] = (bytes[4_000] ?? 0) ^ 1;
      await writeFile(changed, bytes);
      await test.addOrphan(2 * day);
      const { status, stdout, stderr } = test.command();
      expect([status, stderr]).toEqual([1, '']);
      const lines = stdout.trim().split('\n');
      expect(lines[0]).toMatch(/^what +bytes +key +files$/);
      expect(
        lines
          .slice(1, -1)
          .map((line) => line.replace(/[\da-f]{64}\.[\da-f]{12}/, 'KEY').replace(/ +/g, ' '))
          .sort(),
      ).toEqual([
        'damaged 5000 KEY Blinker 2.0.0 2.0.0.bin',
        'damaged 5000 KEY Blinker 3.0.0 3.0.0.bin',
        'missing 5000 KEY Blinker 1.0.0 1.0.0.bin',
        'orphaned 6 KEY',
      ]);
      expect(lines.at(-1)).toMatch(/: 1 missing, 2 damaged; 1 orphaned$/);
    },
    timeout,
  );

  it('removes only bytes that have been orphaned for more than a day', async () => {
    await using test = await start();
    await test.addOrphan(2 * day);
    const young = await test.addOrphan(day / 2);
    const foreign = join(test.dataDir, 'firmware', 'blobs', 'README');
    await writeFile(foreign, 'not ours');
    expect(isSound(await test.run())).toBe(false);
    const result = await test.run(true);
    expect(result.findings.map(({ isRemoved }) => isRemoved).sort()).toEqual([false, true]);
    expect(verifyReport(result)).toContain('orphaned, removed');
    await rm(young);
    expect(isSound(await test.run())).toBe(true);
    expect(await readFile(foreign, 'utf8')).toBe('not ours');
  });

  it('removes nothing if the database does not match the store', async () => {
    await using test = await start();
    for (let index = 0; index < 20; index++) {
      await test.addOrphan(2 * day);
    }
    const result = await test.run(true);
    expect(result.findings).toHaveLength(20);
    expect(result.findings.every(({ isRemoved }) => !isRemoved)).toBe(true);
    expect(verifyReport(result)).toContain('nothing was removed. Check DATABASE_URL');
  });
});

describe('verifying during writes', () => {
  it.each(databaseKinds)(
    'reports no fault for files that are added or removed during the run, on $name',
    async ({ open }) => {
      await using folder = await temporaryFolder();
      await using opened = await open();
      const { queries } = opened.database;
      const clock = new VirtualClock(Date.now());
      await using services = await firmwareServices({ queries, folder: folder.path, clock });
      const maker = actorCalled('maker');
      const { _id } = await services.projects.create(maker, {
        name: 'Blinker',
        description: '',
        deviceFamily: 'esp',
        deviceModel: 'esp32',
      });
      const first = await services.publish(maker, _id, '1', 'first');
      const goes = await services.publish(maker, _id, '2', 'second');
      const { store, ledger } = services;
      let hasListed = false;
      const verification = await verifyFiles({
        repository: {
          ...ledger,
          kept: async (after, most) => {
            const rows = await ledger.kept(after, most);
            // The reader is slow: the file is gone when it asks the store.
            await services.versions.remove(goes._id, maker).catch(() => undefined);
            await services.bytes.sweep();
            return rows;
          },
        },
        store: {
          ...store,
          list: async function* () {
            const listed = await listOf(store);
            hasListed = true;
            // The file is listed, but gone when the database is asked.
            await services.versions.remove(first._id, maker);
            await services.bytes.sweep();
            yield* listed;
          },
        },
        now: Date.now(),
        repair: true,
      });
      expect(hasListed).toBe(true);
      expect(verification.findings).toEqual([]);
    },
  );
});

describe('the command', () => {
  it(
    'suggests a next step if there is no data, or if the store is away',
    async () => {
      await using folder = await temporaryFolder();
      await expect(verify({ DATA_DIR: folder.path }, { repair: false })).rejects.toThrow(
        'There is nothing to verify in',
      );
      await using test = await buildTestApp();
      await using silent = await startSilentServer();
      const store = { S3_ENDPOINT: silent.address, S3_BUCKET: 'bench', S3_REGION: 'x', S3_ACCESS_KEY_ID: 'k' };
      await expect(
        verify({ DATA_DIR: test.dataDir, ...store, S3_SECRET_ACCESS_KEY: 's' }, { repair: false }),
      ).rejects.toThrow('the files could not be verified');
    },
    timeout,
  );

  it('refuses an unknown option', () => {
    const { status, stderr } = spawnSync(process.execPath, [cli, 'verify', '--fix'], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, 'Usage: npm run verify -- [--repair]\n']);
  });
});

describe.each(hasS3 ? ['S3'] : [])('verifying on %s', () => {
  it(
    'finds the same in a bucket, and whether browsers may read it',
    async () => {
      const bucket = await createBucket();
      const environment = { ...bucket.environment, S3_PUBLIC_URL: bucket.settings.endpoint };
      await using test = await buildTestApp({ RATE_LIMIT_WRITES: '0', ...environment });
      const owner = releaseClient(test.app, await test.bearer());
      const { _id } = await owner.newProject('Blinker');
      const version = await owner.newVersion(_id, { files: [{ name: 'app.bin', bytes: noise(5_000) }] });
      const run = () => verify({ DATA_DIR: test.dataDir, ...environment }, { repair: false });
      const closed = await run();
      expect([closed.findings, isSound(closed)]).toEqual([[], false]);
      expect(verifyReport(closed)).toContain('The bucket does not allow pages of http://localhost:4173 to read it');
      await bucket.allowReadsFrom('*');
      expect(isSound(await run())).toBe(true);
      const key = (await bucket.keys()).map((name) => name.split('/').at(-1) ?? '');
      const ours = key.find((name) => hashOfKey(name) === version.files[0]?.sha256) ?? '';
      await bucket.tamper(ours, null);
      const orphan = newBlobKey(randomBytes(32).toString('hex'));
      await bucket.tamper(orphan, Buffer.from('orphan'));
      const { findings } = await run();
      expect(findings.map((finding) => [finding.fault, finding.key])).toEqual([
        ['missing', ours],
        ['orphaned', orphan],
      ]);
    },
    timeout,
  );
});
