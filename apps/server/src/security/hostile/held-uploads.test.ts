/** A client begins many uploads and finishes none. Two are accepted, and other users' uploads are not affected. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { apiPaths, ErrorAnswer, firmwarePaths } from '@wirebench/contract';
import { describe, expect, it } from 'vitest';
import {
  ask,
  type HostileTarget,
  type RawConnection,
  requestHead,
  startHostileTarget,
  versionForm,
} from '../../testing/hostile-target.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const MEBIBYTE = 1_048_576;
const SIZE = 16 * MEBIBYTE;

function bytesInUse(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Begins an upload and sends the first `sent` bytes of its file. */
async function hold(target: HostileTarget, user: string, projectId: string, sent: number): Promise<RawConnection> {
  const { head, length, type } = versionForm(projectId, '1', SIZE);
  const connection = await target.connect();
  const headers = { ...(await target.bearer(user)), 'content-type': type, 'content-length': String(length) };
  connection.socket.write(requestHead(firmwarePaths.newVersion, headers) + head);
  const chunk = Buffer.alloc(65_536);
  for (let bytes = 0; bytes < sent; bytes += chunk.length) {
    connection.socket.write(chunk);
  }
  return connection;
}

async function upload(target: HostileTarget, user: string, projectId: string, version: string) {
  const { head, tail, type } = versionForm(projectId, version, 3);
  const headers = { ...(await target.bearer(user)), 'content-type': type };
  return ask(`${target.server.address}${firmwarePaths.newVersion}`, { method: 'POST', headers }, `${head}abc${tail}`);
}

const incoming = (target: HostileTarget) => readdir(join(target.server.dataDir, 'firmware', 'incoming'));

describe('sixty held uploads of a user', () => {
  it('occupy two places and do not slow others', async () => {
    await using target = await startHostileTarget({}, { answered: 500 });
    const own = await target.newProject('holder');
    const other = await target.newProject('other');
    const before = bytesInUse();
    const held = await Promise.all(Array.from({ length: 60 }, () => hold(target, 'holder', own, 4 * MEBIBYTE)));

    const refused = () => held.filter(({ received }) => received() !== '');
    await expect.poll(() => refused().length).toBe(58);
    for (const { received } of refused()) {
      expect(received()).toMatch(/^HTTP\/1\.1 429 [\s\S]*\r\nretry-after: 10\r\n[\s\S]*"code":"too-many-uploads"/);
    }
    // Connections of refused uploads are closed, although their bodies never end.
    await Promise.all(refused().map(({ closed }) => closed));
    expect(await incoming(target)).toHaveLength(2);
    const metrics = await (await fetch(`${target.server.address}${apiPaths.metrics}`)).text();
    expect(metrics).toContain('\nwirebench_uploads_in_progress 2\n');

    expect((await upload(target, 'other', other, '1')).status).toBe(201);
    expect((await fetch(`${target.server.address}${apiPaths.ready}`)).status).toBe(200);
    // The memory of closed streams becomes free only in a later turn of the event loop.
    await expect.poll(() => bytesInUse() - before).toBeLessThan(16 * MEBIBYTE);

    // Closing the connections releases the client's places.
    for (const { socket } of held) {
      socket.destroy();
    }
    await expect.poll(() => incoming(target)).toEqual([]);
    await expect.poll(async () => (await upload(target, 'holder', own, '2')).status).toBe(201);
  });

  it('get 503 from several users when all places are taken', async () => {
    await using target = await startHostileTarget({ LIMIT_UPLOADS: '3' });
    const users = ['one', 'two', 'three'];
    const projects = await Promise.all(users.map((user) => target.newProject(user)));
    for (const [user, project] of [
      ['one', 0],
      ['one', 0],
      ['two', 1],
    ] as const) {
      await hold(target, user, projects[project] ?? '', MEBIBYTE);
    }
    await expect.poll(async () => (await incoming(target)).length).toBe(3);
    const { status, headers, body } = await upload(target, 'three', projects[2] ?? '', '1');
    expect([status, headers['retry-after'], ErrorAnswer.parse(JSON.parse(body)).code]).toEqual([
      503,
      '10',
      'uploads-busy',
    ]);
  });
});

it('an upload is refused before its body has arrived', async () => {
  await using target = await startHostileTarget({ LIMIT_UPLOADS_PER_USER: '1' });
  const projectId = await target.newProject('maker');
  await hold(target, 'maker', projectId, MEBIBYTE);
  await expect.poll(async () => (await incoming(target)).length).toBe(1);
  const second = await hold(target, 'maker', projectId, 0);
  await expect.poll(second.received).toMatch(/^HTTP\/1\.1 429 /);
});

it('a refused upload leaves its connection to the next request once it is read', async () => {
  await using target = await startHostileTarget({ LIMIT_UPLOADS_PER_USER: '1' });
  const projectId = await target.newProject('maker');
  await hold(target, 'maker', projectId, MEBIBYTE);
  await expect.poll(async () => (await incoming(target)).length).toBe(1);
  const second = await hold(target, 'maker', projectId, SIZE);
  second.socket.write(versionForm(projectId, '1', SIZE).tail + requestHead('/api/health', {}, 'GET'));
  await expect.poll(second.received).toMatch(/^HTTP\/1\.1 429 [\s\S]*HTTP\/1\.1 200 /);
});

it('a user who uploads one version after the other needs one place', async () => {
  await using target = await startHostileTarget({ LIMIT_UPLOADS_PER_USER: '1', LIMIT_VERSIONS: '20' });
  const projectId = await target.newProject('maker');
  for (let number = 0; number < 20; number++) {
    expect((await upload(target, 'maker', projectId, `1.${number}`)).status).toBe(201);
  }
});
