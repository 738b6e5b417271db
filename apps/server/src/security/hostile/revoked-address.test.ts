/**
 * Files that come from the store itself: an address stays valid for a minute, and no new one is given for a private
 * file.
 */
import { firmwarePaths, sharedFirmwarePaths } from '@wirebench/contract';
import { describe, expect, it } from 'vitest';
import { openS3Store } from '../../storage/blobs/s3-store.ts';
import { noise } from '../../testing/noise.ts';
import { releaseClient } from '../../testing/release-client.ts';
import { createBucket, hasS3 } from '../../testing/s3-bucket.ts';
import { buildTestApp } from '../../testing/test-app.ts';

const timeout = 60_000;

async function start() {
  const bucket = await createBucket();
  const publicUrl = bucket.settings.endpoint;
  const test = await buildTestApp({
    RATE_LIMIT_WRITES: '0',
    METRICS: 'all',
    ...bucket.environment,
    S3_PUBLIC_URL: publicUrl,
  });
  const owner = releaseClient(test.app, await test.bearer());
  const bytes = noise(300_000);
  const { _id } = await owner.newProject();
  const name = 'größe";<script>.bin';
  const version = await owner.newVersion(_id, { files: [{ name, bytes }] });
  await owner.setProjectPublic(_id, true);
  await owner.setVersionPublic(version._id, true);
  const fileId = version.files[0]?._id ?? '';
  const url = sharedFirmwarePaths.file('version', version.shareId, fileId);
  const hash = version.files[0]?.sha256 ?? '';
  const keyOf = (address: string) => /[\da-f]{64}\.[\da-f]{12}/.exec(address)?.[0] ?? '';
  return {
    ...test,
    bucket,
    owner,
    bytes,
    version,
    fileId,
    url,
    hash,
    keyOf,
    publicUrl,
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}

describe.each(hasS3 ? ['radosgw or the given store'] : [])('an address at %s', () => {
  it(
    'is given for what is public, good for a minute, readable for any page, and makes nothing of a hostile name',
    async () => {
      await using test = await start();
      const answer = await test.app.inject({ url: test.url, headers: { origin: 'https://elsewhere.example' } });
      expect([answer.statusCode, answer.body]).toEqual([307, '']);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': 'no-store',
      });
      const address = new URL(String(answer.headers.location));
      expect(address.searchParams.get('X-Amz-Expires')).toBe('60');
      expect(address.pathname).toContain(test.hash);
      const bytes = await fetch(address);
      expect(bytes.status).toBe(200);
      expect(bytes.headers.get('content-type')).toBe('application/octet-stream');
      expect(bytes.headers.get('content-disposition')).toMatch(
        /^attachment; filename="[\w. -]+\.bin"; filename\*=UTF-8''/,
      );
      expect(Buffer.from(await bytes.arrayBuffer()).equals(test.bytes)).toBe(true);
    },
    timeout,
  );

  it(
    'is not given for what was made private or deleted a moment ago, nor for the private file of an owner',
    async () => {
      await using test = await start();
      expect((await test.app.inject(test.url)).statusCode).toBe(307);
      const own = await test.owner.get(firmwarePaths.versionFile(test.version._id, test.fileId));
      expect([own.statusCode, own.rawPayload.length]).toEqual([200, test.bytes.length]);
      await test.owner.setVersionPublic(test.version._id, false);
      const revoked = await test.app.inject(test.url);
      expect([revoked.statusCode, revoked.headers.location]).toEqual([404, undefined]);
      await test.owner.setVersionPublic(test.version._id, true);
      expect((await test.app.inject(test.url)).statusCode).toBe(307);
      await test.owner.remove(firmwarePaths.version(test.version._id));
      expect((await test.app.inject(test.url)).statusCode).toBe(404);
    },
    timeout,
  );

  it(
    'dies with the bytes when their version is deleted, before its minute is over',
    async () => {
      await using test = await start();
      const address = String((await test.app.inject(test.url)).headers.location);
      expect((await fetch(address)).status).toBe(200);
      await test.owner.remove(firmwarePaths.version(test.version._id));
      await expect.poll(async () => (await fetch(address)).status, { timeout: 20_000 }).toBe(404);
    },
    timeout,
  );

  it(
    'is not given to those whom the store would not understand: a token, a condition, HEAD; and not for nothing',
    async () => {
      await using test = await start();
      const read = (headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') =>
        test.app.inject({ method, url: test.url, headers });
      const withToken = await read(await test.bearer());
      expect([withToken.statusCode, withToken.rawPayload.length]).toEqual([200, test.bytes.length]);
      const conditional = await read({ 'if-range': `"${test.hash}"`, range: 'bytes=0-9' });
      expect([conditional.statusCode, conditional.rawPayload.length]).toEqual([206, 10]);
      const head = await read({}, 'HEAD');
      expect([head.statusCode, head.headers['content-length']]).toEqual([200, String(test.bytes.length)]);
      expect((await read({ 'if-none-match': `"${test.hash}"` })).statusCode).toBe(304);
      expect((await read({ range: 'bytes=900000-' })).statusCode).toBe(416);
      expect((await read({ range: 'bytes=0-9' })).statusCode).toBe(307);
    },
    timeout,
  );

  it(
    'is not given to bytes that are gone or cut off',
    async () => {
      await using test = await start();
      const key = test.keyOf(String((await test.app.inject(test.url)).headers.location));
      // Bytes that were just found are not checked again at once.
      await test.clock.advance(600_000);
      await test.bucket.tamper(key, test.bytes.subarray(0, 1_000));
      const damaged = await test.app.inject(test.url);
      expect([damaged.statusCode, damaged.json().code]).toEqual([500, 'bytes-missing']);
      await test.bucket.tamper(key, null);
      expect((await test.app.inject(test.url)).statusCode).toBe(500);
      const { body } = await test.app.inject('/metrics');
      expect(body).toContain('wirebench_stored_file_faults_total{fault="damaged"} 1');
      expect(body).toContain('wirebench_stored_file_faults_total{fault="missing"} 1');
    },
    timeout,
  );

  it(
    'is one that the page may open, and the store lets it when the bucket has the rules of the documentation',
    async () => {
      await using test = await start();
      const origin = 'https://bench.example.org';
      const policy = String((await test.app.inject('/')).headers['content-security-policy']);
      expect(/connect-src ([^;]*)/.exec(policy)?.[1]).toContain(new URL(test.publicUrl).origin);
      const store = openS3Store({ ...test.bucket.settings, publicUrl: test.publicUrl });
      await expect(store.downloads?.checkAccessFrom(origin)).rejects.toThrow(
        `The bucket does not allow pages of ${origin} to read it`,
      );
      await test.bucket.allowReadsFrom('*');
      await expect(store.downloads?.checkAccessFrom(origin)).resolves.toBeUndefined();
      const address = String((await test.app.inject(test.url)).headers.location);
      // After a redirect from another origin, browsers send the origin `null`.
      const part = await fetch(address, { headers: { origin: 'null', range: 'bytes=5-9' } });
      expect(part.status).toBe(206);
      expect(part.headers.get('access-control-allow-origin')).toBe('*');
      expect(part.headers.get('access-control-expose-headers')?.toLowerCase()).toContain('content-range');
    },
    timeout,
  );
});

describe('without S3_PUBLIC_URL', () => {
  it('serves files through the server', async () => {
    await using test = await buildTestApp();
    const policy = String((await test.app.inject('/')).headers['content-security-policy']);
    expect(/connect-src ([^;]*)/.exec(policy)?.[1]).toBe(`'self' ${test.issuer.url}`);
  });
});
