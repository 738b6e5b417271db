/** Crashes that clients send: counting, retention, access and deletion, on both databases. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  type CrashAnswer,
  type CrashList,
  crashLimits,
  demoReleaseId,
  firmwarePaths,
  moderationPaths,
  sharedFirmwarePaths,
  type Version,
} from '@wirebench/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../storage/database/database.ts';
import { callApi } from '../../testing/api-user.ts';
import { crashReport, fingerprint } from '../../testing/crash-reports.ts';
import { type DatabasePlace, databaseKinds } from '../../testing/databases.ts';
import { releaseClient } from '../../testing/release-client.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';

describe.each(databaseKinds)('crashes on $name', ({ appPlace: newPlace }) => {
  let place: DatabasePlace;
  let test: TestApp;
  let owner: ReturnType<typeof releaseClient>;
  let stranger: ReturnType<typeof releaseClient>;
  let projectId: string;
  let version: Version;

  beforeEach(async () => {
    place = await newPlace();
    test = await buildTestApp({ RATE_LIMIT_WRITES: '0', ...place.environment });
    owner = releaseClient(test.app, await test.bearer());
    stranger = releaseClient(test.app, await test.bearer({ sub: 'subject-of-other', preferred_username: 'other' }));
    projectId = (await owner.newProject())._id;
    version = await owner.newVersion(projectId);
    await owner.setProjectPublic(projectId, true);
    await owner.setVersionPublic(version._id, true);
  });

  afterEach(async () => {
    await test[Symbol.asyncDispose]();
    await place[Symbol.asyncDispose]();
  });

  const send = (changes: Parameters<typeof crashReport>[0] = {}, shareId = version.shareId) =>
    test.app.inject({ method: 'POST', url: sharedFirmwarePaths.crashes(shareId), payload: crashReport(changes) });
  const list = async (query = ''): Promise<CrashList> =>
    (await owner.get(`${firmwarePaths.versionCrashes(version._id)}${query}`)).json();
  const find = async (which = crashReport().fingerprint): Promise<CrashAnswer['crash']> =>
    (await owner.get(firmwarePaths.versionCrash(version._id, which))).json().crash;

  /** Counts the rows in the tables of crashes. */
  async function stored() {
    const { DATABASE_URL: url } = place.environment;
    const opened = await openDatabase(
      url === undefined ? { path: join(test.dataDir, 'wirebench.sqlite') } : place.options,
    );
    try {
      const [groups, examples] = await Promise.all([
        opened.queries.selectFrom('crash_groups').selectAll().execute(),
        opened.queries.selectFrom('crash_examples').selectAll().execute(),
      ]);
      return { groups: groups.length, examples: examples.length };
    } finally {
      await opened.close();
    }
  }

  it('are counted by fingerprint, with chips, first and last time, and seen by the owner at once', async () => {
    expect((await send()).statusCode).toBe(204);
    await test.clock.advance(60_000);
    await send({ chip: 'ESP32-C6' });
    await send({ chip: 'ESP32-C6' });
    await send({ fingerprint: fingerprint(7), cause: 'Stack overflow in task wifi' });
    const { crashes, pagination } = await list();
    expect(pagination).toEqual({ total: 2, limit: 20, skip: 0 });
    expect(crashes.find(({ count }) => count === 3)).toEqual({
      fingerprint: '0123456789abcdef',
      cause: 'Load access fault',
      count: 3,
      firstSeenAt: '2026-11-20T12:00:00.000Z',
      lastSeenAt: '2026-11-20T12:01:00.000Z',
      chips: [
        { chip: 'ESP32-C6', count: 2 },
        { chip: 'ESP32-C3', count: 1 },
      ],
    });
    expect((await owner.projects())[0]?.versions[0]?.crashes).toBe(4);
    const { examples } = await find();
    expect(examples).toHaveLength(3);
    expect(examples.at(-1)).toMatchObject({
      chip: 'ESP32-C3',
      chipRevision: 301,
      build: '5f1c7a90b',
      memorySize: 0,
      tasks: crashReport().tasks,
    });
  });

  it('are listed page by page, the last seen first', async () => {
    for (let number = 1; number <= 5; number++) {
      await send({ fingerprint: fingerprint(number) });
      await test.clock.advance(1_000);
    }
    const pages = [await list('?limit=2'), await list('?limit=2&skip=2'), await list('?limit=2&skip=4')];
    expect(pages.map(({ crashes }) => crashes.map((crash) => crash.fingerprint))).toEqual([
      [fingerprint(5), fingerprint(4)],
      [fingerprint(3), fingerprint(2)],
      [fingerprint(1)],
    ]);
  });

  it('count once when the client sends them again, before and after they were written', async () => {
    const id = randomUUID();
    await send({ id });
    await send({ id });
    expect((await list()).crashes[0]?.count).toBe(1);
    if (place.environment['DATABASE_URL'] !== undefined) {
      // A second process with an empty memory. Servers share a database, and never a data folder.
      await using again = await buildTestApp({ RATE_LIMIT_WRITES: '0', ...place.environment });
      const payload = crashReport({ id });
      const url = sharedFirmwarePaths.crashes(version.shareId);
      expect((await again.app.inject({ method: 'POST', url, payload })).statusCode).toBe(204);
      await again.clock.advance(2_000);
      await expect.poll(stored).toEqual({ groups: 1, examples: 1 });
      expect((await list()).crashes[0]?.count).toBe(1);
    }
  });

  it('keep the newest examples, and core dumps only with those who sent one', async () => {
    const memory = Buffer.from('memory of a board').toString('base64');
    for (let number = 1; number <= 5; number++) {
      await send({ details: `the ${number}th`, memory: number === 4 ? memory : null });
      await test.clock.advance(1_000);
    }
    const { count, examples } = await find();
    expect([count, examples.map(({ details }) => details)]).toEqual([5, ['the 5th', 'the 4th', 'the 3th']]);
    expect(examples.map(({ memorySize }) => memorySize)).toEqual([0, 17, 0]);
    expect(JSON.stringify(examples)).not.toContain(memory);
    const path = (index: number) =>
      firmwarePaths.crashDump(version._id, '0123456789abcdef', examples[index]?._id ?? '');
    const dump = await owner.get(path(1));
    expect([dump.statusCode, dump.body, dump.headers['cache-control']]).toEqual([200, 'memory of a board', 'no-store']);
    expect((await owner.get(path(0))).statusCode).toBe(404);
    expect((await stranger.get(path(1))).statusCode).toBe(404);
  });

  it('displace each other in a flood, but never a crash that was seen more than once', async () => {
    await send({ fingerprint: fingerprint(0xabcdef) });
    await send({ fingerprint: fingerprint(0xabcdef) });
    const most = crashLimits.groups;
    for (let number = 0; number < most + 20; number++) {
      await send({ fingerprint: fingerprint(number), chip: `Chip ${number}`, memory: 'AAAA' });
    }
    const { crashes, pagination } = await list('?limit=100');
    expect([crashes.length, pagination.total]).toEqual([most, most]);
    expect(crashes.find(({ count }) => count === 2)?.fingerprint).toBe(fingerprint(0xabcdef));
    const withMemory = await Promise.all(crashes.map(async (crash) => (await find(crash.fingerprint)).examples));
    const kept = withMemory.flat().filter(({ memorySize }) => memorySize > 0);
    expect(kept.length).toBeLessThanOrEqual(crashLimits.memories);
    expect(kept.length).toBeGreaterThan(0);
  });

  it('are counted as "other" beyond the limit of chips', async () => {
    for (let number = 0; number < crashLimits.chips + 3; number++) {
      await send({ chip: `Chip ${number}` });
    }
    const [crash] = (await list()).crashes;
    expect(crash?.chips).toHaveLength(crashLimits.chips + 1);
    expect(crash?.chips[0]).toEqual({ chip: 'other', count: 3 });
  });

  it('are deleted one by one, all at once, and with their version or project, without a trace', async () => {
    await send();
    await send({ fingerprint: fingerprint(1) });
    expect((await owner.remove(firmwarePaths.versionCrash(version._id, fingerprint(1)))).statusCode).toBe(204);
    expect((await owner.remove(firmwarePaths.versionCrash(version._id, fingerprint(1)))).statusCode).toBe(404);
    expect((await list()).crashes).toHaveLength(1);
    expect(await stored()).toEqual({ groups: 1, examples: 1 });
    expect((await owner.remove(firmwarePaths.versionCrashes(version._id))).statusCode).toBe(204);
    expect(await stored()).toEqual({ groups: 0, examples: 0 });
    for (const path of [firmwarePaths.version(version._id), firmwarePaths.project(projectId)]) {
      if (path === firmwarePaths.project(projectId)) {
        version = await owner.newVersion(projectId, { version: '2' });
        await owner.setVersionPublic(version._id, true);
      }
      await send();
      await list();
      expect(await stored()).toEqual({ groups: 1, examples: 1 });
      await owner.remove(path);
      expect(await stored()).toEqual({ groups: 0, examples: 0 });
    }
  });

  it('leave nothing when they arrive while their version is deleted', async () => {
    await send();
    await owner.remove(firmwarePaths.version(version._id));
    await test.clock.advance(2_000);
    expect(await stored()).toEqual({ groups: 0, examples: 0 });
    expect((await send()).statusCode).toBe(404);
    expect((await test.app.inject('/api/ready')).statusCode).toBe(200);
  });

  it('are deleted half a year after they were last seen', async () => {
    await send();
    await list();
    await test.clock.advance((crashLimits.days + 1) * 86_400_000);
    // The session has expired by then, so the owner signs in again.
    const crashesOfOwner = async (): Promise<CrashList['pagination']> => {
      const client = releaseClient(test.app, await test.bearer());
      return (await client.get(firmwarePaths.versionCrashes(version._id))).json().pagination;
    };
    const afterAnotherSweep = async () => {
      await test.clock.advance(3_600_000);
      return (await crashesOfOwner()).total;
    };
    await expect.poll(afterAnotherSweep).toBe(0);
    expect(await stored()).toEqual({ groups: 0, examples: 0 });
  });

  it('are accepted only for versions that the sender may read', async () => {
    const refused = async (shareId: string) => (await send({}, shareId)).statusCode;
    expect(await refused('A'.repeat(22))).toBe(404);
    expect(await refused('%00')).toBe(404);
    expect(await refused(demoReleaseId)).toBe(404);
    const { shareId } = (await owner.projects())[0] ?? { shareId: '' };
    expect(await refused(shareId)).toBe(404);
    await owner.setVersionPublic(version._id, false);
    expect(await refused(version.shareId)).toBe(404);
    const own = await owner.post(firmwarePaths.versionCrashes(version._id), crashReport());
    expect(own.statusCode).toBe(204);
    expect((await stranger.post(firmwarePaths.versionCrashes(version._id), crashReport())).statusCode).toBe(404);
    expect((await list()).crashes[0]?.count).toBe(1);
  });

  it('are read and deleted by their owner only, whatever ids are guessed', async () => {
    await send({ memory: 'AAAA' });
    const [example] = (await find()).examples;
    const paths = [
      firmwarePaths.versionCrashes(version._id),
      firmwarePaths.versionCrash(version._id, '0123456789abcdef'),
      firmwarePaths.crashDump(version._id, '0123456789abcdef', example?._id ?? ''),
    ];
    for (const path of paths) {
      expect([path, (await owner.get(path)).statusCode]).toEqual([path, 200]);
      expect([path, (await stranger.get(path)).statusCode]).toEqual([path, 404]);
      expect([path, (await test.app.inject(path)).statusCode]).toEqual([path, 401]);
    }
    for (const path of paths.slice(0, 2)) {
      expect((await stranger.remove(path)).statusCode).toBe(404);
      expect((await callApi(test, {}, 'DELETE', path)).status).toBe(401);
    }
    for (const wrong of ['x', "' or 1=1 --", '0123456789ABCDEF', '%00', '..%2f']) {
      const path = firmwarePaths.versionCrash(version._id, encodeURIComponent(wrong));
      expect([wrong, (await owner.get(path)).statusCode]).toEqual([wrong, 404]);
    }
    expect((await list()).crashes).toHaveLength(1);
  });

  it('cannot be read through another version of the same owner', async () => {
    await send({ memory: 'AAAA' });
    const [example] = (await find()).examples;
    const second = await owner.newVersion(projectId, { version: '2' });
    expect((await owner.get(firmwarePaths.versionCrash(second._id, '0123456789abcdef'))).statusCode).toBe(404);
    expect(
      (await owner.get(firmwarePaths.crashDump(second._id, '0123456789abcdef', example?._id ?? ''))).statusCode,
    ).toBe(404);
  });

  // In one test, because refusals need no new database.
  const refused: readonly (readonly [string, object])[] = [
    ['without a fingerprint', { fingerprint: undefined }],
    ['with a fingerprint that is none', { fingerprint: 'ABCDEF0123456789' }],
    ['with more than it may say', { comment: 'hello' }],
    ['with a NUL in a name', { tasks: [{ ...crashReport().tasks[0], name: 'a\u0000b' }] }],
    ['with a cause of two lines', { cause: 'a\nb' }],
    ['with a cause without end', { cause: 'x'.repeat(crashLimits.causeMaxLength + 1) }],
    [
      'with more tasks than fit',
      { tasks: Array.from({ length: crashLimits.tasks + 1 }, () => crashReport().tasks[0]) },
    ],
    [
      'with stacks that are too long together',
      {
        tasks: Array.from({ length: 8 }, () => ({
          ...crashReport().tasks[0],
          frames: Array.from({ length: crashLimits.frames }, () => ({
            pc: 1,
            guess: false,
            places: [{ function: 'f'.repeat(200), file: 'g'.repeat(200), line: 1 }],
          })),
        })),
      },
    ],
    [
      'with an address that is none',
      { tasks: [{ ...crashReport().tasks[0], frames: [{ pc: -1, guess: false, places: [] }] }] },
    ],
    ['with memory that is no Base64', { memory: 'not base64!' }],
    ['with too much memory', { memory: Buffer.alloc(crashLimits.memory + 3).toString('base64') }],
  ];

  it('with a fault are refused in a sentence, and nothing is kept', async () => {
    for (const [fault, changes] of refused) {
      const answer = await send(changes);
      const { code, error } = answer.json();
      expect([fault, answer.statusCode, code]).toEqual([fault, 400, 'invalid-request']);
      expect([fault, error]).toEqual([fault, expect.stringMatching(/^[A-Za-z][^{}]+$/)]);
      expect([fault, await stored()]).toEqual([fault, { groups: 0, examples: 0 }]);
    }
  });

  it('are accepted at the largest allowed size', async () => {
    const memory = Buffer.alloc(crashLimits.memory, 7).toString('base64');
    expect((await send({ memory, details: 'x'.repeat(crashLimits.detailsMaxLength) })).statusCode).toBe(204);
    expect((await find()).examples[0]?.memorySize).toBe(crashLimits.memory);
  });

  it('are refused with 410 for a release that was taken down', async () => {
    const admin = await test.bearer({
      sub: 'subject-of-ada',
      preferred_username: 'ada',
      realm_access: { roles: ['admin'] },
    });
    await callApi(test, admin, 'POST', moderationPaths.takeDown('version', version._id), { reason: 'Harmful' });
    const answer = await send();
    expect([answer.statusCode, answer.json().code]).toEqual([410, 'taken-down']);
  });
});

describe('limits on crash reports', () => {
  const limited = async (environment: Record<string, string>) => {
    const test = await buildTestApp({ TRUST_PROXY: 'on', ...environment });
    const owner = releaseClient(test.app, await test.bearer());
    const project = await owner.newProject();
    const version = await owner.newVersion(project._id);
    await owner.setProjectPublic(project._id, true);
    await owner.setVersionPublic(version._id, true);
    const send = async (address: string) => {
      const answer = await test.app.inject({
        method: 'POST',
        url: sharedFirmwarePaths.crashes(version.shareId),
        headers: { 'x-forwarded-for': address },
        payload: crashReport(),
      });
      return answer;
    };
    return { send, [Symbol.asyncDispose]: () => test[Symbol.asyncDispose]() };
  };

  it('stop reports from one IPv6 network, and let another address send', async () => {
    await using test = await limited({});
    const statuses: number[] = [];
    for (let number = 0; number < 15; number++) {
      statuses.push((await test.send(`2001:db8:1:2::${number + 1}`)).statusCode);
    }
    expect(statuses).toEqual([...Array(10).fill(204), ...Array(5).fill(429)]);
    const answer = await test.send('2001:db8:1:2::1');
    expect([answer.json().code, Number(answer.headers['retry-after']) > 0]).toEqual(['too-many-requests', true]);
    expect((await test.send('192.0.2.7')).statusCode).toBe(204);
  });

  it('stop reports for one version, whatever the number of addresses', async () => {
    await using test = await limited({});
    const statuses: number[] = [];
    for (let number = 0; number < 130; number++) {
      statuses.push((await test.send(`2001:db8:${number.toString(16)}::1`)).statusCode);
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  });
});
