import { createHash } from 'node:crypto';
import { VirtualClock } from '@wirebench/clock';
import { probeReleaseIds } from '@wirebench/contract';
import { describe, expect, it } from 'vitest';
import { databaseKinds } from '../../testing/databases.ts';
import { firmwareServices } from '../../testing/firmware-services.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { probeReleases } from './probe-release.ts';
import { ensureProductRelease, type ProductRelease } from './product-release.ts';
import { productReleaseRepository } from './product-releases.repository.ts';
import { demoFiles, demoRelease } from './releases.ts';

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** The probe's release for the ESP32 with different content. */
function probe(version: string, content: string): ProductRelease {
  const [release] = probeReleases();
  if (release === undefined) {
    throw new Error('There is no release.');
  }
  return { ...release, version, files: [{ fileName: 'probe.bin', offset: 0x1000, bytes: Buffer.from(content) }] };
}

describe.each(databaseKinds)('a release of the product on $name', ({ open }) => {
  async function start() {
    const stack = new AsyncDisposableStack();
    const folder = stack.use(await temporaryFolder());
    const { queries } = stack.use(await open()).database;
    const clock = new VirtualClock(Date.UTC(2026, 10, 20, 12));
    const services = stack.use(await firmwareServices({ queries, folder: folder.path, clock }));
    const parts = { ...services, repository: productReleaseRepository(queries), clock };
    const ensure = (release: ProductRelease) => ensureProductRelease(release, parts);
    const blobs = async () => {
      const rows = await queries.selectFrom('firmware_blobs').select('sha256').execute();
      return rows.map(({ sha256 }) => sha256).toSorted();
    };
    const read = async (shareId: string) => JSON.parse((await services.shared.read('version', shareId)).body);
    return { ...services, queries, clock, ensure, blobs, read, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  }

  it.each([
    ['demo', demoRelease()],
    ['probe', probe('1.0', 'first')],
  ])('is created once when several servers start at the same moment: %s', async (_, release) => {
    await using test = await start();
    await Promise.all([test.ensure(release), test.ensure(release), test.ensure(release)]);
    await test.clock.advance(1_000);
    await test.ensure(release);
    expect((await test.read(release.shareId)).project.createdAt).toBe('2026-11-20T12:00:00.000Z');
    expect(await test.queries.selectFrom('firmware_projects').selectAll().execute()).toHaveLength(1);
    expect(await test.queries.selectFrom('firmware_claims').selectAll().execute()).toEqual([]);
    expect(await test.blobs()).toEqual(release.files.map(({ bytes }) => sha256Of(bytes)).toSorted());
  });

  it('replaces an older one for everyone at the same address', async () => {
    await using test = await start();
    await test.ensure(probe('1.9', 'older'));
    const before = await test.read(probeReleaseIds.esp32);
    await test.clock.advance(1_000);
    await test.ensure(probe('1.10', 'newer'));
    const after = await test.read(probeReleaseIds.esp32);
    expect(after.project._id).toBe(before.project._id);
    expect(after.version).toMatchObject({ _id: before.version._id, version: '1.10', writeCount: 0 });
    expect(after.version.createdAt).not.toBe(before.version.createdAt);
    expect(after.version.files).toMatchObject([{ sha256: sha256Of(Buffer.from('newer')) }]);
    expect(await test.blobs()).toEqual([sha256Of(Buffer.from('newer'))]);
    await expect.poll(() => test.ledger.garbage('', 1)).toEqual([]);
  });

  it('stays when a server with an older one starts later', async () => {
    await using test = await start();
    await test.ensure(probe('1.1', 'newer'));
    await test.ensure(probe('1.0', 'older'));
    expect((await test.read(probeReleaseIds.esp32)).version.version).toBe('1.1');
    await Promise.all([test.ensure(probe('1.2', 'newest')), test.ensure(probe('1.0', 'older'))]);
    expect((await test.read(probeReleaseIds.esp32)).version.version).toBe('1.2');
    expect(await test.blobs()).toEqual([sha256Of(Buffer.from('newest'))]);
    expect(await test.queries.selectFrom('firmware_claims').selectAll().execute()).toEqual([]);
  });

  it('gets its own files back if others are stored', async () => {
    await using test = await start();
    await test.ensure(demoRelease());
    const old = 'b'.repeat(64);
    await test.queries
      .insertInto('firmware_blobs')
      .values({ sha256: old, blob_key: `${old}.000000000000`, size: 1 })
      .execute();
    await test.queries.deleteFrom('firmware_files').where('flash_offset', '<', 0x10000).execute();
    await test.queries.updateTable('firmware_files').set({ sha256: old }).execute();
    await test.ensure(demoRelease());
    expect(await test.blobs()).toEqual(
      demoFiles()
        .map(({ bytes }) => sha256Of(bytes))
        .toSorted(),
    );
    expect((await test.read(demoRelease().shareId)).version.files).toHaveLength(3);
    await expect.poll(() => test.ledger.garbage('', 1)).toEqual([]);
  });

  it('stays down after an operator took it down, even when a newer one arrives', async () => {
    await using test = await start();
    await test.ensure(probe('1.0', 'first'));
    await test.queries
      .updateTable('firmware_projects')
      .set({ is_public: 0, withheld: 'taken-down', withheld_reason: 'Not here' })
      .execute();
    await test.ensure(probe('1.1', 'second'));
    const project = await test.queries.selectFrom('firmware_projects').selectAll().executeTakeFirstOrThrow();
    expect(project).toMatchObject({ is_public: 0, withheld: 'taken-down', withheld_reason: 'Not here' });
  });
});
