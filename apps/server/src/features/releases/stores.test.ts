/** Releases on every kind of file store, and leftovers of an earlier server. */
import { randomUUID } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { firmwarePaths, sharedFirmwarePaths } from '@wirebench/contract';
import { describe, expect, inject, it } from 'vitest';
import { noise } from '../../testing/noise.ts';
import { createPostgresDatabase } from '../../testing/postgres-database.ts';
import { releaseClient } from '../../testing/release-client.ts';
import { createBucket, hasS3 } from '../../testing/s3-bucket.ts';
import { buildTestApp, testStart } from '../../testing/test-app.ts';
import { startTestServer } from '../../testing/test-server.ts';

const timeout = 60_000;
const hour = 3_600_000;
const bin = (bytes: Uint8Array) => ({ files: [{ name: 'app.bin', bytes }] });

describe.each(hasS3 ? ['S3'] : [])('releases on %s', () => {
  it(
    'are kept only in the bucket, whole or not at all',
    async () => {
      const bucket = await createBucket();
      await using test = await buildTestApp({ RATE_LIMIT_WRITES: '0', ...bucket.environment });
      const owner = releaseClient(test.app, await test.bearer());
      const before = await bucket.keys();
      const bytes = noise(300_000);
      const { _id } = await owner.newProject();
      const version = await owner.newVersion(_id, bin(bytes));
      const [file] = version.files;
      const hash = file?.sha256 ?? '';
      expect((await bucket.keys()).filter((key) => !before.includes(key))).toEqual([
        expect.stringMatching(new RegExp(`^firmware/${hash.slice(0, 2)}/${hash}\\.`)),
      ]);
      const folders = await readdir(join(test.dataDir, 'firmware'), { recursive: true });
      expect(folders).toEqual(['incoming']);

      await owner.setProjectPublic(_id, true);
      await owner.setVersionPublic(version._id, true);
      const url = sharedFirmwarePaths.file('version', version.shareId, file?._id ?? '');
      expect((await test.app.inject(url)).rawPayload.equals(bytes)).toBe(true);
      const part = await test.app.inject({ url, headers: { range: 'bytes=1000-1999' } });
      expect([part.statusCode, part.headers['content-range']]).toEqual([206, 'bytes 1000-1999/300000']);
      expect(part.rawPayload.equals(bytes.subarray(1_000, 2_000))).toBe(true);

      await owner.remove(firmwarePaths.version(version._id));
      await expect.poll(() => bucket.keys()).toEqual(before);
      expect((await test.app.inject('/api/ready')).statusCode).toBe(200);
    },
    timeout,
  );

  it(
    'are refused with 503 while the bucket is away, and the server is alive and not ready',
    async () => {
      const { environment } = await createBucket();
      await using test = await buildTestApp({ ...environment, S3_BUCKET: 'no-such-bucket-anywhere' });
      const owner = releaseClient(test.app, await test.bearer());
      const { _id } = await owner.newProject();
      const answer = await owner.upload(_id);
      expect([answer.statusCode, answer.json().code]).toEqual([503, 'store-unavailable']);
      expect((await owner.projects())[0]?.versions).toEqual([]);
      expect(await readdir(join(test.dataDir, 'firmware', 'incoming'))).toEqual([]);
      const ready = await test.app.inject('/api/ready');
      expect([ready.statusCode, ready.headers['retry-after'], ready.json().code]).toEqual([
        503,
        '5',
        'store-unavailable',
      ]);
      expect((await test.app.inject('/api/health')).statusCode).toBe(200);
      expect(test.log.join('')).not.toContain(environment['S3_SECRET_ACCESS_KEY']);
    },
    timeout,
  );
});

const postgres = inject('postgres');

describe.each(hasS3 && postgres !== null ? [postgres] : [])(
  'two servers with one PostgreSQL and one bucket',
  ({ url, template }) => {
    it(
      'serve what the other one stored, and keep bytes while either needs them',
      async () => {
        await using database = await createPostgresDatabase(url, template);
        const bucket = await createBucket();
        const environment = { RATE_LIMIT_WRITES: '0', DATABASE_URL: database.url, ...bucket.environment };
        await using one = await buildTestApp(environment);
        await using other = await buildTestApp(environment);
        const onOne = releaseClient(one.app, await one.bearer());
        const onOther = releaseClient(other.app, await other.bearer());
        const before = await bucket.keys();
        const bytes = noise(100_000);
        const { _id } = await onOne.newProject();
        const [first, second] = await Promise.all([
          onOne.newVersion(_id, { version: '1', ...bin(bytes) }),
          onOther.newVersion(_id, { version: '2', ...bin(bytes) }),
        ]);
        expect(await bucket.keys()).toHaveLength(before.length + 1);
        await onOther.remove(firmwarePaths.version(first?._id ?? ''));
        const kept = await onOne.get(firmwarePaths.versionFile(second?._id ?? '', second?.files[0]?._id ?? ''));
        expect(kept.rawPayload.equals(bytes)).toBe(true);
        await onOne.remove(firmwarePaths.project(_id));
        await expect.poll(() => bucket.keys()).toEqual(before);
      },
      timeout,
    );
  },
);

describe('files of interrupted uploads', () => {
  it('are removed at the start if they are older than any upload can be', async () => {
    await using server = await startTestServer();
    const folder = join(server.dataDir, 'firmware', 'incoming');
    const [old, young] = [Date.now() - hour - 60_000, Date.now()].map((time) => `${time}-${randomUUID()}`);
    for (const name of [old, young]) {
      await writeFile(join(folder, name ?? ''), 'half a file');
    }
    await server.restart();
    await expect.poll(() => readdir(folder)).toEqual([young]);
  });

  it('are removed repeatedly while the server runs', async () => {
    await using test = await buildTestApp();
    const folder = join(test.dataDir, 'firmware', 'incoming');
    // Neither the check of the store nor the product's releases leave files.
    await expect.poll(() => readdir(folder)).toEqual([]);
    await writeFile(join(folder, `${testStart}-${randomUUID()}`), 'half a file');
    const halfAnHourLater = async () => {
      await test.clock.advance(hour / 2);
      return readdir(folder);
    };
    expect(await halfAnHourLater()).toHaveLength(1);
    await expect.poll(halfAnHourLater, { interval: 10 }).toEqual([]);
  });
});
