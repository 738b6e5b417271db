/**
 * Bytes that are deleted, truncated or changed, bypassing the server. The answer is not 404, and a part is never sent
 * as the whole.
 */
import { readdir, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { firmwarePaths, sharedFirmwarePaths, type Version } from '@wirebench/contract';
import { describe, expect, it } from 'vitest';
import { noise } from '../../testing/noise.ts';
import { releaseClient } from '../../testing/release-client.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';

async function start(environment: Record<string, string> = {}) {
  const test = await buildTestApp({ RATE_LIMIT_WRITES: '0', METRICS: 'all', ...environment });
  const owner = releaseClient(test.app, await test.bearer());
  const bytes = noise(300_000);
  const { _id } = await owner.newProject();
  const version = await owner.newVersion(_id, { files: [{ name: 'app.bin', bytes }] });
  await owner.setProjectPublic(_id, true);
  await owner.setVersionPublic(version._id, true);
  return {
    ...test,
    owner,
    bytes,
    version,
    path: await pathOf(test, version),
    url: sharedFirmwarePaths.file('version', version.shareId, version.files[0]?._id ?? ''),
    metric: async (name: string) => {
      const { body } = await test.app.inject('/metrics');
      return Number(
        body
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.slice(name.length),
      );
    },
    errors: () => test.log.filter((line) => JSON.parse(line).level >= 50),
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

async function pathOf({ dataDir }: TestApp, version: Version): Promise<string> {
  const hash = version.files[0]?.sha256 ?? '';
  const folder = join(dataDir, 'firmware', 'blobs', hash.slice(0, 2));
  const name = (await readdir(folder)).find((entry) => entry.startsWith(hash));
  return join(folder, name ?? '');
}

describe('bytes of a version', () => {
  it.each([
    ['missing', (path: string) => rm(path)],
    ['damaged', (path: string) => truncate(path, 1_000)],
    ['damaged', (path: string) => truncate(path, 0)],
  ])('give 500, a metric and a line in the log if they are %s, for every kind of request', async (fault, damage) => {
    await using test = await start();
    await damage(test.path);
    const own = firmwarePaths.versionFile(test.version._id, test.version.files[0]?._id ?? '');
    const answers = [
      await test.app.inject(test.url),
      await test.app.inject({ url: test.url, headers: { range: 'bytes=0-9' } }),
      await test.owner.get(own),
    ];
    for (const answer of answers) {
      expect([answer.statusCode, answer.json().code]).toEqual([500, 'bytes-missing']);
      expect(answer.headers).not.toHaveProperty('etag');
      expect(answer.headers).not.toHaveProperty('content-disposition');
    }
    expect(await test.metric(`wirebench_stored_file_faults_total{fault="${fault}"}`)).toBe(answers.length);
    expect(test.errors()).toHaveLength(answers.length);
    expect(test.errors()[0]).toContain(test.version.files[0]?.sha256);
  });

  it('cut the connection if they end while they are sent, so that the download fails', async () => {
    await using test = await start();
    const large = noise(16_000_000);
    const { _id } = await test.owner.newProject('Large');
    const version = await test.owner.newVersion(_id, { files: [{ name: 'large.bin', bytes: large }] });
    await test.owner.setProjectPublic(_id, true);
    await test.owner.setVersionPublic(version._id, true);
    const path = await pathOf(test, version);
    const address = await test.app.listen({ port: 0, host: '127.0.0.1' });
    const url = sharedFirmwarePaths.file('version', version.shareId, version.files[0]?._id ?? '');
    const answer = await fetch(`${address}${url}`);
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(large.length)]);
    // More than the sockets buffer is still to be sent.
    await truncate(path, 9_000_000);
    await expect(answer.arrayBuffer()).rejects.toThrow();
    expect(await test.metric('wirebench_stored_file_faults_total{fault="damaged"}')).toBe(1);
    expect(test.errors().join('')).toContain('the bytes of a file are damaged');
  });

  it('are restored by an upload of the same file', async () => {
    await using test = await start();
    await rm(test.path);
    const { _id } = await test.owner.newProject('Again');
    await test.owner.newVersion(_id, { files: [{ name: 'app.bin', bytes: test.bytes }] });
    expect((await test.app.inject(test.url)).rawPayload.equals(test.bytes)).toBe(true);
  });

  it('give 404 and no fault after their version was deleted', async () => {
    await using test = await start();
    await test.owner.remove(firmwarePaths.version(test.version._id));
    expect((await test.app.inject(test.url)).statusCode).toBe(404);
    expect(await test.metric('wirebench_stored_file_faults_total{fault="missing"}')).toBe(0);
  });
});
