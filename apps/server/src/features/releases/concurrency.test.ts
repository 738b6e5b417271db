/** Rules that hold for simultaneous calls to two servers on one database and one file store. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../api-error.ts';
import { type Database, openDatabase } from '../../storage/database/database.ts';
import { databaseKinds } from '../../testing/databases.ts';
import { actorCalled, firmwareServices } from '../../testing/firmware-services.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const maker = actorCalled('maker');
const blinker = { name: 'Blinker', description: '', deviceFamily: 'esp', deviceModel: 'esp32' } as const;

describe.each(databaseKinds)('two servers on $name', ({ place }) => {
  async function start() {
    const stack = new AsyncDisposableStack();
    const folder = stack.use(await temporaryFolder());
    const database = stack.use(await place());
    const clock = new VirtualClock(Date.UTC(2026, 10, 20, 12));
    const first = stack.use(await openDatabase(database.options));
    const second = stack.use(await openDatabase(database.options));
    const open = async ({ queries }: Database) =>
      stack.use(await firmwareServices({ queries, folder: folder.path, clock }));
    return {
      servers: [await open(first), await open(second)] as const,
      clock,
      blobs: async () =>
        (await readdir(join(folder.path, 'blobs'), { recursive: true, withFileTypes: true })).filter((entry) =>
          entry.isFile(),
        ).length,
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  }

  type Servers = Awaited<ReturnType<typeof start>>['servers'];

  /** Sends simultaneous calls to both servers in turn. Returns the count of each refusal's code, and of `done`. */
  async function together(
    servers: Servers,
    count: number,
    ask: (server: Servers[0], index: number) => Promise<unknown>,
  ): Promise<Readonly<Record<string, number>>> {
    const outcomes = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        ask(servers[index % 2 === 0 ? 0 : 1], index).then(
          () => 'done',
          (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
        ),
      ),
    );
    return Object.fromEntries(
      [...Map.groupBy(outcomes, (outcome) => outcome)].map(([code, all]) => [code, all.length]),
    );
  }

  it('give a user as many projects as there may be, and no more', async () => {
    await using test = await start();
    const outcomes = await together(test.servers, 16, (server, index) =>
      server.projects.create(maker, { ...blinker, name: `Project ${index}` }),
    );
    expect(outcomes).toEqual({ done: 5, 'project-limit': 11 });
    expect(await test.servers[0].projects.list(maker)).toHaveLength(5);
  });

  it('give a name once', async () => {
    await using test = await start();
    const outcomes = await together(test.servers, 10, (server, index) =>
      server.projects.create(maker, { ...blinker, name: index % 3 === 0 ? ' blinker' : 'Blinker' }),
    );
    expect(outcomes).toEqual({ done: 1, 'project-name-taken': 9 });
  });

  it('give a project as many versions as there may be, each number once, with all their bytes', async () => {
    await using test = await start();
    const { _id } = await test.servers[0].projects.create(maker, blinker);
    const outcomes = await together(test.servers, 16, (server, index) =>
      server.publish(maker, _id, `1.${index % 8}`, `bytes ${index}`),
    );
    expect(outcomes['done']).toBe(3);
    const [project] = await test.servers[1].projects.list(maker);
    expect(new Set(project?.versions.map(({ version }) => version)).size).toBe(3);
    for (const { _id: id, files } of project?.versions ?? []) {
      const { key, size } = await test.servers[0].versions.file(id, files[0]?._id ?? '', maker);
      expect((await buffer(await test.servers[1].store.open(key, size))).toString()).toMatch(/^bytes \d+$/);
    }
    // Refused uploads leave no bytes.
    await expect.poll(() => test.blobs()).toBe(3);
  });

  it('turn a switch once for each time that it is asked to', async () => {
    await using test = await start();
    const { _id } = await test.servers[0].projects.create(maker, blinker);
    expect(await together(test.servers, 7, (server) => server.projects.toggle(_id, maker, undefined))).toEqual({
      done: 7,
    });
    expect((await test.servers[0].projects.list(maker))[0]?.isPublic).toBe(true);
    expect(await together(test.servers, 6, (server) => server.projects.toggle(_id, maker, false))).toEqual({ done: 6 });
    const { history } = await test.servers[0].projects.history(_id, maker, { limit: 100, skip: 0 });
    expect(history.map(({ action }) => action).filter((action) => action === 'project-withdrawn')).toHaveLength(4);
  });

  it('count every flash', async () => {
    await using test = await start();
    const { _id } = await test.servers[0].projects.create(maker, blinker);
    const version = await test.servers[0].publish(maker, _id, '1', 'bytes');
    await test.servers[0].projects.toggle(_id, maker, true);
    await test.servers[0].versions.toggle(version._id, maker, true);
    const outcomes = await together(test.servers, 60, (server, index) =>
      server.shared.report(version.shareId, { result: index % 3 === 0 ? 'failure' : 'success', chip: 'ESP32' }),
    );
    expect(outcomes).toEqual({ done: 60 });
    await test.clock.advance(1_000);
    await Promise.all(test.servers.map(({ counts }) => counts.settle()));
    expect(await test.servers[1].versions.flashes(version._id, maker)).toMatchObject({ successes: 40, failures: 20 });
  });

  it('find nothing to report on where the version goes at the same moment', async () => {
    await using test = await start();
    const { _id } = await test.servers[0].projects.create(maker, blinker);
    await test.servers[0].projects.toggle(_id, maker, true);
    for (let round = 0; round < 10; round++) {
      const version = await test.servers[0].publish(maker, _id, String(round), 'bytes');
      await test.servers[0].versions.toggle(version._id, maker, true);
      const [outcomes] = await Promise.all([
        together(test.servers, 6, (server) => server.shared.report(version.shareId, { result: 'success' })),
        test.servers[1].versions.remove(version._id, maker),
      ]);
      expect(['done', 'not-found']).toEqual(expect.arrayContaining(Object.keys(outcomes)));
    }
  });

  it('show on one what was just changed on the other', async () => {
    await using test = await start();
    const [one, other] = test.servers;
    const { _id, shareId } = await one.projects.create(maker, blinker);
    await one.projects.toggle(_id, maker, true);
    for (const description of ['first', 'second', 'third']) {
      await one.projects.describe(_id, maker, { description });
      expect(JSON.parse((await other.shared.read('project', shareId)).body).project.description).toBe(description);
    }
    await one.projects.toggle(_id, maker, false);
    await expect(other.shared.read('project', shareId)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('never lose bytes that one version releases while another takes them up', async () => {
    await using test = await start();
    const [one, other] = test.servers;
    const projects = await Promise.all(['one', 'two'].map((name) => one.projects.create(maker, { ...blinker, name })));
    const [first, second] = projects.map(({ _id }) => _id);
    let left = await one.publish(maker, first ?? '', '0', 'the same bytes');
    for (let round = 1; round <= 12; round++) {
      // The last version with these bytes is deleted on one server while the other one receives them again.
      const [, taken] = await Promise.all([
        one.versions.remove(left._id, maker),
        other.publish(maker, (round % 2 === 0 ? first : second) ?? '', String(round), 'the same bytes'),
        one.bytes.sweep(),
      ]);
      const { key, size } = await one.versions.file(taken._id, taken.files[0]?._id ?? '', maker);
      expect((await buffer(await one.store.open(key, size))).toString()).toBe('the same bytes');
      left = taken;
    }
    await other.versions.remove(left._id, maker);
    await one.bytes.sweep();
    await expect.poll(() => test.blobs()).toBe(0);
    await expect.poll(() => one.ledger.garbage('', 1)).toEqual([]);
  });

  it('leave no version behind when its project goes at the same moment', async () => {
    await using test = await start();
    for (let round = 0; round < 6; round++) {
      const { _id } = await test.servers[0].projects.create(maker, blinker);
      const [upload] = await Promise.allSettled([
        test.servers[1].publish(maker, _id, '1', `bytes ${round}`),
        test.servers[0].projects.remove(_id, maker),
      ]);
      expect(upload.status === 'fulfilled' || (upload.reason as ApiError).code === 'not-found').toBe(true);
    }
    expect(await test.servers[0].projects.list(maker)).toEqual([]);
    await expect.poll(() => test.blobs()).toBe(0);
  });
});
