import { createHash } from 'node:crypto';
import { VirtualClock } from '@wirebench/clock';
import {
  apiPaths,
  demoReleaseId,
  PublicConfig,
  releasePath,
  SharedVersionAnswer,
  sharedFirmwarePaths,
} from '@wirebench/contract';
import { describe, expect, it } from 'vitest';
import { databaseKinds } from '../../testing/databases.ts';
import { firmwareServices } from '../../testing/firmware-services.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { buildTestApp } from '../../testing/test-app.ts';
import { startTestServer } from '../../testing/test-server.ts';
import { demoRepository } from './demo.repository.ts';
import { demoFiles } from './demo-files.ts';
import { ensureDemoRelease } from './demo-release.ts';

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('the demo release', () => {
  it('is there from the first start on, where the configuration leads to, marked as what it is', async () => {
    await using server = await startTestServer();
    const read = async (path: string) => JSON.parse(await (await fetch(server.address + path)).text());
    const { latestReleaseUrl } = PublicConfig.parse(await read(apiPaths.config));
    expect(latestReleaseUrl).toBe(`${server.address}${releasePath('version', demoReleaseId)}`);
    const { project, version } = SharedVersionAnswer.parse(
      await read(sharedFirmwarePaths.item('version', demoReleaseId)),
    );
    expect(project).toMatchObject({
      name: 'Wirebench demo',
      publisher: 'wirebench',
      demo: true,
      deviceFamily: 'esp',
      deviceModel: 'esp32',
    });
    expect(version).toMatchObject({ version: '1.0.0', console: { baudRate: 115_200, lineEnding: 'crlf' } });
    // All that an empty board needs to start.
    expect(version.files).toMatchObject([
      { fileName: 'bootloader.bin', offset: '0x1000' },
      { fileName: 'partition-table.bin', offset: '0x8000' },
      { fileName: 'wirebench-demo.bin', offset: '0x10000' },
    ]);
    for (const [index, { _id: id }] of version.files.entries()) {
      const file = sharedFirmwarePaths.file('version', demoReleaseId, id);
      const bytes = new Uint8Array(await (await fetch(server.address + file)).arrayBuffer());
      expect(bytes).toEqual(new Uint8Array(demoFiles()[index]?.bytes ?? []));
    }

    await server.restart();
    expect(await read(sharedFirmwarePaths.item('version', demoReleaseId))).toEqual({ project, version });
    expect((await read(sharedFirmwarePaths.item('project', demoReleaseId))).project.versions).toEqual([version]);
  });

  it('is left out where another release takes its place and sign-in is elsewhere', async () => {
    await using test = await buildTestApp({
      LATEST_RELEASE_URL: 'https://bench.example.org/release.html?type=version&id=x',
    });
    expect((await test.app.inject(sharedFirmwarePaths.item('version', demoReleaseId))).statusCode).toBe(404);
  });

  it('has no manifest, with which other tools would write it to a real chip', async () => {
    await using test = await buildTestApp();
    for (const type of ['project', 'version'] as const) {
      expect((await test.app.inject(sharedFirmwarePaths.item(type, demoReleaseId))).statusCode).toBe(200);
      expect((await test.app.inject(sharedFirmwarePaths.manifest(type, demoReleaseId))).statusCode).toBe(404);
      expect((await test.app.inject(sharedFirmwarePaths.badge(type, demoReleaseId))).statusCode).toBe(200);
    }
  });

  it('counts its flashes like any other', async () => {
    await using test = await buildTestApp();
    const report = await test.app.inject({ method: 'POST', url: sharedFirmwarePaths.flashes(demoReleaseId) });
    expect(report.statusCode).toBe(204);
    const answer = await test.app.inject(sharedFirmwarePaths.item('version', demoReleaseId));
    expect(answer.json().version.writeCount).toBe(1);
  });
});

describe.each(databaseKinds)('the demo release on $name', ({ open }) => {
  async function start() {
    const stack = new AsyncDisposableStack();
    const folder = stack.use(await temporaryFolder());
    const { queries } = stack.use(await open()).database;
    const clock = new VirtualClock(Date.UTC(2026, 10, 20, 12));
    const services = stack.use(await firmwareServices({ queries, folder: folder.path, clock }));
    const ensure = () => ensureDemoRelease({ ...services, repository: demoRepository(queries), clock });
    return { ...services, queries, clock, ensure, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  }

  it('is made once, though several servers start at the same moment', async () => {
    await using test = await start();
    await Promise.all([test.ensure(), test.ensure(), test.ensure()]);
    await test.clock.advance(1_000);
    await test.ensure();
    const { project } = JSON.parse((await test.shared.read('version', demoReleaseId)).body);
    expect(project.createdAt).toBe('2026-11-20T12:00:00.000Z');
    const rows = await test.queries.selectFrom('firmware_projects').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(await test.queries.selectFrom('firmware_claims').selectAll().execute()).toEqual([]);
  });

  it('takes the place of that of an earlier version of the product, with everybody seeing the new one', async () => {
    await using test = await start();
    await test.ensure();
    const before = JSON.parse((await test.shared.read('version', demoReleaseId)).body);
    // What an earlier version of the product would have left.
    const old = 'b'.repeat(64);
    await test.queries
      .insertInto('firmware_blobs')
      .values({ sha256: old, blob_key: `${old}.000000000000`, size: 1 })
      .execute();
    await test.queries.deleteFrom('firmware_files').where('flash_offset', '<', 0x10000).execute();
    await test.queries.updateTable('firmware_files').set({ sha256: old }).execute();
    await test.clock.advance(1_000);
    await test.ensure();
    const after = JSON.parse((await test.shared.read('version', demoReleaseId)).body);
    expect(after.project._id).toBe(before.project._id);
    expect(after.project.createdAt).not.toBe(before.project.createdAt);
    const blobs = await test.queries.selectFrom('firmware_blobs').select('sha256').execute();
    const hashes = blobs.map(({ sha256 }) => sha256);
    expect(hashes.toSorted()).toEqual(
      demoFiles()
        .map(({ bytes }) => sha256Of(bytes))
        .toSorted(),
    );
    expect(after.version.files).toHaveLength(3);
    await expect.poll(() => test.ledger.garbage('', 1)).toEqual([]);
  });
});
