/** Uploads without progress, or almost without: they lose their place. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { firmwarePaths } from '@wirebench/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HostileTarget, requestHead, startHostileTarget, versionForm } from '../../testing/hostile-target.ts';

let target: HostileTarget;
let projectId: string;

beforeAll(async () => {
  target = await startHostileTarget({ LIMIT_UPLOADS_PER_USER: '1' }, { whole: 1_500, upload: 2_000 });
  projectId = await target.newProject('maker');
});

afterAll(() => target[Symbol.asyncDispose]());

const incoming = () => readdir(join(target.server.dataDir, 'firmware', 'incoming'));

async function begin(version: string, size: number) {
  const { head, tail, length, type } = versionForm(projectId, version, size);
  const connection = await target.connect();
  const headers = { ...(await target.bearer('maker')), 'content-type': type, 'content-length': String(length) };
  connection.socket.write(requestHead(firmwarePaths.newVersion, headers) + head);
  return { ...connection, tail };
}

it('an upload that trickles is ended, told so, and leaves its place and no file', async () => {
  const { socket, received, closed } = await begin('1', 1_000_000);
  const dripping = setInterval(() => socket.write('x'), 20);
  await closed;
  clearInterval(dripping);
  expect(received()).toMatch(/^HTTP\/1\.1 408 [\s\S]*"code":"request-timeout"/);
  await expect.poll(incoming).toEqual([]);

  const next = await begin('1', 3);
  next.socket.write(`abc${next.tail}`);
  await expect.poll(next.received).toMatch(/^HTTP\/1\.1 201 /);
});

it('an upload that is slow and goes on is taken, however long it takes', async () => {
  const pieces = 48;
  const { socket, received, tail } = await begin('2', pieces * 20_000);
  for (let piece = 0; piece < pieces; piece++) {
    // Both limits would expire several times during the upload.
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.write(Buffer.alloc(20_000, piece));
  }
  socket.write(tail);
  await expect.poll(received).toMatch(/^HTTP\/1\.1 201 /);
});
