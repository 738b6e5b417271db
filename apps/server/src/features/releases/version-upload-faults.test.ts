/** Uploads into a full project, from a client that disconnects, and while the file store is unavailable. */
import { once } from 'node:events';
import { readdir, rename, rm } from 'node:fs/promises';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { firmwarePaths } from '@wirebench/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noise } from '../../testing/noise.ts';
import { encodeForm, firmwareFile } from '../../testing/release-client.ts';
import { bin, startUploadTest, type UploadTest } from '../../testing/upload-test.ts';

let { test, owner, projectId, files, expectNothingNew } = {} as UploadTest;

beforeEach(async () => {
  ({ test, owner, projectId, files, expectNothingNew } = await startUploadTest());
});

afterEach(() => test[Symbol.asyncDispose]());

describe('room for a version', () => {
  it('is taken once for each number, in any case', async () => {
    await owner.newVersion(projectId, { version: '1.0.0-RC' });
    for (const filesFirst of [false, true]) {
      const answer = await owner.upload(projectId, { version: ' 1.0.0-rc ', filesFirst });
      const sentence = 'Version "1.0.0-rc" already exists in this project. Please use a unique version number.';
      expect([answer.statusCode, answer.json()]).toEqual([
        409,
        { error: sentence, message: sentence, code: 'version-taken' },
      ]);
    }
    const other = await owner.newProject('Other');
    expect((await owner.newVersion(other._id, { version: '1.0.0-rc' })).version).toBe('1.0.0-rc');
  });

  it('ends at the limit and names it', async () => {
    for (const version of ['1', '2', '3']) {
      await owner.newVersion(projectId, { version });
    }
    const sentence =
      'You have reached the maximum limit of 3 versions per project. Please delete an existing version before creating a new one.';
    const answer = await owner.upload(projectId, { version: '4' });
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      { error: sentence, message: sentence, code: 'version-limit' },
    ]);
    const [newest] = (await owner.projects())[0]?.versions ?? [];
    await owner.remove(firmwarePaths.version(newest?._id ?? ''));
    expect((await owner.upload(projectId, { version: '4' })).statusCode).toBe(201);
  });

  it('is asked for before the files are taken in, where the fields come first', async () => {
    await owner.newVersion(projectId, { version: '1' });
    const { app } = test;
    const { payload, contentType } = await encodeForm(projectId, {
      version: '1',
      files: [bin('app.bin', Buffer.alloc(4_000_000))],
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const upload = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: firmwarePaths.newVersion,
      headers: { ...(await test.bearer()), 'content-type': contentType, 'content-length': payload.length },
    });
    upload.write(payload.subarray(0, 2_000));
    const [answer] = await once(upload, 'response');
    expect(answer.statusCode).toBe(409);
    expect(await files('incoming')).toEqual([]);
    // The rest of the body is read and discarded, so that clients which read only after sending get the answer too.
    upload.end(payload.subarray(2_000));
    answer.resume();
    await once(upload, 'finish');
  });
});

describe('an upload that breaks off', () => {
  it('leaves nothing behind', async () => {
    const { app } = test;
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const { payload, contentType } = await encodeForm(projectId, {
      files: [bin('boot.bin'), bin('app.bin', noise(3_000_000))],
      offsets: '["0x0","0x10000"]',
    });
    const upload = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: firmwarePaths.newVersion,
      headers: { ...(await test.bearer()), 'content-type': contentType, 'content-length': payload.length },
    });
    upload.on('error', () => undefined);
    upload.write(payload.subarray(0, 2_000_000));
    // Both files are on the disk by now, one complete and one partial.
    await expect.poll(async () => (await files('incoming')).length, { interval: 10 }).toBe(2);
    upload.destroy();
    await expect.poll(() => files('incoming'), { interval: 10 }).toEqual([]);
    await expectNothingNew();
    expect(test.log.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  });
});

describe('while the file store is away', () => {
  it('nothing is kept, and the answer says when to try again', async () => {
    const folder = join(test.dataDir, 'firmware');
    await rename(join(folder, 'incoming'), join(folder, 'elsewhere'));
    const answer = await owner.upload(projectId, { files: [firmwareFile] });
    expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toEqual([
      503,
      '5',
      {
        error: 'The file store is not responding. Please try again in a moment.',
        message: 'The file store is not responding. Please try again in a moment.',
        code: 'store-unavailable',
      },
    ]);
    expect((await test.app.inject('/api/ready')).statusCode).toBe(503);
    expect((await test.app.inject('/api/health')).statusCode).toBe(200);
    await rename(join(folder, 'elsewhere'), join(folder, 'incoming'));
    await expectNothingNew();
    // The result of a check is valid for a second.
    await test.clock.advance(1_000);
    expect((await test.app.inject('/api/ready')).statusCode).toBe(200);
    expect((await owner.upload(projectId)).statusCode).toBe(201);
  });

  it('a file cannot be read, which is told apart from one whose bytes are gone, and leaves no header of the file', async () => {
    const version = await owner.newVersion(projectId);
    const url = firmwarePaths.versionFile(version._id, version.files[0]?._id ?? '');
    const folder = join(test.dataDir, 'firmware');
    await rename(join(folder, 'blobs'), join(folder, 'elsewhere'));
    const away = await owner.get(url);
    expect([away.statusCode, away.json().code]).toEqual([503, 'store-unavailable']);
    expect(away.headers).not.toHaveProperty('etag');
    expect(away.headers).not.toHaveProperty('content-disposition');
    await rename(join(folder, 'elsewhere'), join(folder, 'blobs'));
    expect((await owner.get(url)).statusCode).toBe(200);
    for (const name of await readdir(join(folder, 'blobs'))) {
      await rm(join(folder, 'blobs', name), { recursive: true });
    }
    const gone = await owner.get(url);
    expect([gone.statusCode, gone.json().code]).toEqual([500, 'bytes-missing']);
  });
});
