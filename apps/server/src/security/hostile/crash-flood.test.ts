/**
 * A flood of crash reports, which any client may send. It costs one write per second and does not affect readers of
 * the release.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sharedFirmwarePaths } from '@wirebench/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crashReport, fingerprint } from '../../testing/crash-reports.ts';
import { ask, type HostileTarget, requestHead, startHostileTarget } from '../../testing/hostile-target.ts';
import { releaseClient } from '../../testing/release-client.ts';
import { buildTestApp } from '../../testing/test-app.ts';

const SENT = 500;

async function startRelease() {
  const test = await buildTestApp({ RATE_LIMIT_WRITES: '0', LOG_LEVEL: 'trace' });
  const owner = releaseClient(test.app, await test.bearer());
  const project = await owner.newProject();
  const version = await owner.newVersion(project._id);
  await owner.setProjectPublic(project._id, true);
  await owner.setVersionPublic(version._id, true);
  /** Runs a statement on the database from outside the server. */
  const inDatabase = (statement: string): readonly object[] => {
    const database = new DatabaseSync(join(test.dataDir, 'wirebench.sqlite'), { readOnly: true });
    try {
      return database.prepare(statement).all();
    } finally {
      database.close();
    }
  };
  const send = (payload: object) =>
    test.app.inject({ method: 'POST', url: sharedFirmwarePaths.crashes(version.shareId), payload });
  return { test, project, version, inDatabase, send, [Symbol.asyncDispose]: () => test[Symbol.asyncDispose]() };
}

describe('a flood of crashes', () => {
  it('causes one write a second, and keeps the cached answers of the release with their tags', async () => {
    await using release = await startRelease();
    const { test, project, version, inDatabase, send } = release;
    const urls = [
      sharedFirmwarePaths.item('version', version.shareId),
      sharedFirmwarePaths.item('project', project.shareId),
      sharedFirmwarePaths.manifest('version', version.shareId),
    ];
    const tagsOf = async () => Promise.all(urls.map(async (url) => (await test.app.inject(url)).headers.etag));
    const before = await tagsOf();
    const revisions = inDatabase('select revision from firmware_projects order by id');
    const answers = await Promise.all(Array.from({ length: SENT }, () => send(crashReport())));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([204]));
    expect(inDatabase('select * from crash_groups')).toEqual([]);
    expect(await tagsOf()).toEqual(before);
    await test.clock.advance(1_000);
    await expect.poll(() => inDatabase('select count from crash_groups')).toEqual([{ count: SENT }]);
    expect(inDatabase('select count(*) as kept from crash_examples')).toEqual([{ kept: 3 }]);
    expect(inDatabase('select revision from firmware_projects order by id')).toEqual(revisions);
    expect(await tagsOf()).toEqual(before);
  });

  it('stores few of its core dumps, whether or not the crashes differ', async () => {
    await using release = await startRelease();
    const { inDatabase, send, test } = release;
    const memory = Buffer.alloc(128 * 1_024, 1).toString('base64');
    for (let number = 0; number < 120; number++) {
      expect((await send(crashReport({ fingerprint: fingerprint(number), memory }))).statusCode).toBe(204);
    }
    await test.clock.advance(1_000);
    await expect.poll(() => inDatabase('select count(*) as kept from crash_groups')).toEqual([{ kept: 100 }]);
    await expect
      .poll(() => inDatabase('select count(*) as kept from crash_examples where memory is not null'))
      .toEqual([{ kept: 20 }]);
  });

  it('leaves nothing of what was sent in the log or the metrics', async () => {
    await using release = await startRelease();
    const { send, test } = release;
    const secret = 'zq7secret';
    const [task] = crashReport().tasks;
    await send(
      crashReport({
        cause: `${secret} cause`,
        details: secret,
        chip: secret,
        tasks: [{ ...task, name: secret } as NonNullable<typeof task>],
        memory: Buffer.from(secret).toString('base64'),
      }),
    );
    await send({ ...crashReport(), cause: secret, [secret]: secret });
    await test.clock.advance(1_000);
    const metrics = await test.app.inject('/metrics');
    for (const said of [test.log.join(''), metrics.body]) {
      expect(said).not.toContain(secret);
      expect(said).not.toContain(Buffer.from(secret).toString('base64'));
    }
  });
});

describe('a crash over the network', () => {
  let target: HostileTarget;
  let path: string;

  beforeAll(async () => {
    target = await startHostileTarget();
    path = sharedFirmwarePaths.crashes('A'.repeat(22));
  });

  afterAll(() => target[Symbol.asyncDispose]());

  it('is refused at 100 MB without being read to its end', async () => {
    const { socket, received, closed } = await target.connect();
    socket.write(requestHead(path, { 'content-type': 'application/json', 'content-length': '100000000' }));
    const chunk = Buffer.alloc(65_536, 0x20);
    let sent = 0;
    const more = () => {
      while (sent < 100_000_000) {
        sent += chunk.length;
        if (!socket.write(chunk)) {
          return;
        }
      }
    };
    socket.on('drain', more);
    more();
    await closed;
    expect(received()).toMatch(/^HTTP\/1\.1 413 /);
    expect(socket.bytesWritten - socket.writableLength).toBeLessThan(30_000_000);
  });

  it('is refused in time if its JSON is nested too deep, and the server continues', async () => {
    const deep = `{"tasks":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const { status } = await ask(
      `${target.server.address}${path}`,
      { method: 'POST', headers: { 'content-type': 'application/json' } },
      deep,
    );
    expect([400, 404]).toContain(status);
    expect((await ask(`${target.server.address}/api/health`, { method: 'GET' }, '')).status).toBe(200);
  });
});
