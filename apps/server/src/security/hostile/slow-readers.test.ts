/**
 * Clients that request much and read little: their resources are released, and clients that make progress are not
 * affected.
 */
import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { apiPaths, firmwarePaths, VersionAnswer } from '@wirebench/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask, type HostileTarget, requestHead, startHostileTarget, versionForm } from '../../testing/hostile-target.ts';

const SIZE = 16 * 1_048_576;

let target: HostileTarget;
let path: string;
let bearer: Readonly<Record<string, string>>;

beforeAll(async () => {
  target = await startHostileTarget({}, { reader: 2_000 });
  bearer = await target.bearer('maker');
  const { head, tail, type } = versionForm(await target.newProject('maker'), '1', SIZE);
  const body = Buffer.concat([Buffer.from(head), Buffer.alloc(SIZE, 7), Buffer.from(tail)]);
  const answer = await ask(
    `${target.server.address}${firmwarePaths.newVersion}`,
    { method: 'POST', headers: { ...bearer, 'content-type': type } },
    body,
  );
  const { version } = VersionAnswer.parse(JSON.parse(answer.body));
  path = firmwarePaths.versionFile(version._id, version.files[0]?._id ?? '');
});

afterAll(() => target[Symbol.asyncDispose]());

const ended = async () => {
  const { body } = await ask(`${target.server.address}${apiPaths.metrics}`);
  return Number(/wirebench_turned_away_total{reason="slow-reader"} (\d+)/.exec(body)?.[1]);
};

/** Returns the number of stored files that this process, which contains the server, has open. */
async function openBlobs(): Promise<number> {
  const names = await readdir('/proc/self/fd');
  const paths = await Promise.all(names.map((name) => readlink(join('/proc/self/fd', name)).catch(() => '')));
  return paths.filter((each) => each.startsWith(join(target.server.dataDir, 'firmware', 'blobs'))).length;
}

it.runIf(process.platform === 'linux')(
  'forty clients that read nothing lose their connections, and the server its files',
  async () => {
    for (let number = 0; number < 40; number++) {
      const { socket } = await target.connect();
      socket.pause();
      socket.write(requestHead(path, bearer, 'GET'));
    }
    await expect.poll(openBlobs).toBeGreaterThan(0);
    await expect.poll(ended, { timeout: 20_000 }).toBe(40);
    await expect.poll(openBlobs).toBe(0);
  },
);

it('a client that is slow and goes on gets everything', async () => {
  const before = await ended();
  const request = get(`${target.server.address}${path}`, { headers: bearer });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  let received = 0;
  let pauseAt = 1_000_000;
  for await (const chunk of answer) {
    received += chunk.length;
    if (received > pauseAt) {
      pauseAt += 1_000_000;
      // The limit would expire several times.
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }
  expect(received).toBe(SIZE);
  expect(await ended()).toBe(before);
});
