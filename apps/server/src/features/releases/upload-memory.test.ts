/** Memory use of an upload of the largest version, measured after garbage collection. */
import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { firmwarePaths, releaseLimits, sharedFirmwarePaths, type Version, VersionAnswer } from '@wirebench/contract';
import { describe, expect, it } from 'vitest';
import { releaseClient } from '../../testing/release-client.ts';
import { buildTestApp } from '../../testing/test-app.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const MEBIBYTE = 1_048_576;
/** Bytes, during an upload of 64 MiB. A file held in memory would be twice as large. */
const MAX_GROWTH = 8 * MEBIBYTE;
const { files, fileSize } = releaseLimits;

function bytesInUse(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Yields the form in pieces that share one buffer, so that the sender's memory is constant. */
function* pieces(projectId: string, boundary: string): Generator<Buffer> {
  const fields = {
    projectId,
    version: '1',
    description: 'Large',
    offsets: JSON.stringify(Array.from({ length: files }, (_, index) => `0x${(index * fileSize).toString(16)}`)),
  };
  for (const [name, value] of Object.entries(fields)) {
    yield Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
  }
  const chunk = Buffer.alloc(65_536, 1);
  for (let file = 0; file < files; file++) {
    yield Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="files"; filename="${file}.bin"\r\n\r\n`);
    for (let sent = 0; sent < fileSize; sent += chunk.length) {
      yield chunk;
    }
    yield Buffer.from('\r\n');
  }
  yield Buffer.from(`--${boundary}--\r\n`);
}

/** Sends the form over a new connection. Calls `sample` after every `every` bytes. */
async function upload(
  port: number,
  headers: Readonly<Record<string, string>>,
  projectId: string,
  { every, sample }: { readonly every: number; readonly sample: () => void },
): Promise<Version> {
  const boundary = 'boundary-of-the-test';
  const length = [...pieces(projectId, boundary)].reduce((sum, piece) => sum + piece.length, 0);
  const sending = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: firmwarePaths.newVersion,
    headers: {
      ...headers,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': length,
    },
  });
  let sent = 0;
  let next = MEBIBYTE;
  for (const piece of pieces(projectId, boundary)) {
    if (!sending.write(piece)) {
      await once(sending, 'drain');
    }
    sent += piece.length;
    if (sent >= next) {
      sample();
      next += every;
    }
  }
  sending.end();
  const [answer] = await once(sending, 'response');
  expect(answer.statusCode).toBe(201);
  let text = '';
  for await (const part of answer.setEncoding('utf8')) {
    text += part;
  }
  return VersionAnswer.parse(JSON.parse(text)).version;
}

describe('a version of 64 MiB', () => {
  it('passes through without being kept in memory, on its way in and out', async () => {
    await using test = await buildTestApp({ RATE_LIMIT_WRITES: '0' });
    const owner = releaseClient(test.app, await test.bearer());
    const { _id } = await owner.newProject();
    await owner.setProjectPublic(_id, true);
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = test.app.server.address() as AddressInfo;
    const start = bytesInUse();
    let most = start;
    const version = await upload(port, await test.bearer(), _id, {
      every: 4 * MEBIBYTE,
      sample: () => {
        most = Math.max(most, bytesInUse());
      },
    });
    expect(version.files.map(({ size }) => size)).toEqual([fileSize, fileSize, fileSize, fileSize]);
    expect(most - start).toBeLessThan(MAX_GROWTH);

    await owner.setVersionPublic(version._id, true);
    const path = sharedFirmwarePaths.file('version', version.shareId, version.files[0]?._id ?? '');
    const download = request({ port, host: '127.0.0.1', path }).end();
    const [file] = await once(download, 'response');
    const before = bytesInUse();
    let received = 0;
    let maxOut = before;
    let sample = MEBIBYTE;
    for await (const part of file) {
      received += part.length;
      if (received >= sample) {
        maxOut = Math.max(maxOut, bytesInUse());
        sample += 2 * MEBIBYTE;
      }
    }
    expect(received).toBe(fileSize);
    expect(maxOut - before).toBeLessThan(MAX_GROWTH);
  }, 60_000);

  it('gives its memory back without waiting for a collection, which would take the whole heap each time', async () => {
    await using test = await buildTestApp({ RATE_LIMIT_WRITES: '0' });
    const { _id } = await releaseClient(test.app, await test.bearer()).newProject();
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = test.app.server.address() as AddressInfo;
    collectGarbage();
    const start = process.memoryUsage().arrayBuffers;
    let most = start;
    await upload(port, await test.bearer(), _id, {
      every: MEBIBYTE / 2,
      sample: () => {
        most = Math.max(most, process.memoryUsage().arrayBuffers);
      },
    });
    expect(most - start).toBeLessThan(MAX_GROWTH);
  }, 60_000);
});
