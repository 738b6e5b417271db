/**
 * The ELF file of a version: access, and removal of its bytes, on every database and every store. The long run has
 * all pairs of them.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { firmwarePaths, sharedFirmwarePaths, tokenPaths, type Version } from '@wirebench/contract';
import { isLong } from '@wirebench/test-input';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../storage/database/database.ts';
import { type DatabasePlace, databaseKinds } from '../../testing/databases.ts';
import { findRecordFaults } from '../../testing/record-faults.ts';
import { elfFile, firmwareFile, releaseClient } from '../../testing/release-client.ts';
import { createBucket, hasS3 } from '../../testing/s3-bucket.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';
import { filesIn } from '../../testing/upload-test.ts';

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const elf = elfFile();
const sha256 = hashOf(elf.bytes);

const stores = hasS3 ? ['folder', 'S3'] : ['folder'];
const pairs = databaseKinds.flatMap((database, row) =>
  stores.map((store, column) => ({ database, store, isOnDiagonal: row === column })),
);
/** The diagonal has every database and every store once if there are as many of both. */
const places =
  isLong || databaseKinds.length !== stores.length ? pairs : pairs.filter(({ isOnDiagonal }) => isOnDiagonal);

describe.each(places)('an ELF file on $database.name and $store', ({ database, store }) => {
  let place: DatabasePlace;
  let test: TestApp;
  let owner: ReturnType<typeof releaseClient>;
  let stranger: ReturnType<typeof releaseClient>;
  let stored: () => Promise<readonly string[]>;
  let before: readonly string[];
  let projectId: string;

  beforeEach(async () => {
    place = await (store === 'S3' ? database.place() : database.appPlace());
    const bucket = store === 'S3' ? await createBucket() : null;
    test = await buildTestApp({
      RATE_LIMIT_WRITES: '0',
      LIMIT_ELF_SIZE: '1',
      ...place.environment,
      ...bucket?.environment,
    });
    stored = async () =>
      ((await bucket?.keys()) ?? (await filesIn(join(test.dataDir, 'firmware', 'blobs')))).toSorted();
    owner = releaseClient(test.app, await test.bearer());
    stranger = releaseClient(test.app, await test.bearer({ sub: 'subject-of-other', preferred_username: 'other' }));
    projectId = (await owner.newProject())._id;
    before = await stored();
  }, 60_000);

  afterEach(async () => {
    await test[Symbol.asyncDispose]();
    await place[Symbol.asyncDispose]();
  });

  const publish = async (version: Version) => {
    await owner.setProjectPublic(projectId, true);
    await owner.setVersionPublic(version._id, true);
  };

  it('is uploaded with the version and read by its owner only', async () => {
    const version = await owner.newVersion(projectId, { elf });
    expect(version.elf).toEqual({ fileName: 'app.elf', size: elf.bytes.length, sha256 });
    expect((await owner.projects())[0]?.versions[0]?.elf?.sha256).toBe(sha256);
    await publish(version);
    const own = await owner.get(firmwarePaths.versionElf(version._id));
    expect([own.statusCode, own.rawPayload.equals(Buffer.from(elf.bytes))]).toEqual([200, true]);
    expect(own.headers['content-disposition']).toBe('attachment; filename="app.elf"');
    expect((await stranger.get(firmwarePaths.versionElf(version._id))).statusCode).toBe(404);
    expect((await test.app.inject(firmwarePaths.versionElf(version._id))).statusCode).toBe(401);
    const { shareId } = (await owner.projects())[0] ?? { shareId: '' };
    for (const url of [
      sharedFirmwarePaths.item('version', version.shareId),
      sharedFirmwarePaths.item('project', shareId),
      sharedFirmwarePaths.manifest('version', version.shareId),
    ]) {
      const answer = await test.app.inject(url);
      expect([url, answer.statusCode]).toEqual([url, 200]);
      expect(answer.body).not.toMatch(/elf|crashes/i);
      expect(answer.body).not.toContain(sha256);
    }
  });

  it('is found by its owner only, by the first digits of its hash', async () => {
    const version = await owner.newVersion(projectId, { elf });
    const find = (who: typeof owner, digits: string) => who.get(`${firmwarePaths.elf}?sha256=${digits}`);
    for (const digits of [sha256.slice(0, 8), sha256.slice(0, 16).toUpperCase(), sha256]) {
      expect((await find(owner, digits)).json()).toEqual({
        elf: {
          versionId: version._id,
          project: 'Blinker',
          version: '1.0.0',
          fileName: 'app.elf',
          size: elf.bytes.length,
          sha256,
        },
      });
      const nothing = await find(stranger, digits);
      expect([nothing.statusCode, nothing.json()]).toEqual([200, { elf: null }]);
    }
    expect((await find(owner, hashOf(Buffer.from('another')))).json()).toEqual({ elf: null });
    for (const wrong of ['', '1234567', '%25%25%25%25%25%25%25%25', '________', 'x'.repeat(9), '0'.repeat(65)]) {
      expect([wrong, (await find(owner, wrong)).statusCode]).toEqual([wrong, 400]);
    }
  });

  it('can be added later, replaced and removed, and leaves no bytes behind', async () => {
    const version = await owner.newVersion(projectId);
    const withoutElf = await stored();
    const added = await owner.uploadElf(version._id, elf);
    expect([added.statusCode, added.json().version.elf.sha256]).toEqual([200, sha256]);
    expect(await stored()).toHaveLength(withoutElf.length + 1);
    const other = elfFile('another build');
    expect((await owner.uploadElf(version._id, other)).json().version.elf.sha256).toBe(hashOf(other.bytes));
    await expect.poll(stored).toHaveLength(withoutElf.length + 1);
    // A repeated upload changes nothing.
    expect((await owner.uploadElf(version._id, other)).statusCode).toBe(200);
    expect((await owner.get(firmwarePaths.versionElf(version._id))).rawPayload.equals(Buffer.from(other.bytes))).toBe(
      true,
    );
    const removed = await owner.remove(firmwarePaths.versionElf(version._id));
    expect([removed.statusCode, removed.json().version.elf]).toEqual([200, undefined]);
    await expect.poll(stored).toEqual(withoutElf);
    expect((await owner.get(firmwarePaths.versionElf(version._id))).statusCode).toBe(404);
    const history = (await owner.get(firmwarePaths.projectHistory(projectId))).json().history;
    expect(history.map(({ action }: { action: string }) => action).slice(0, 4)).toEqual([
      'version-elf-removed',
      'version-elf-added',
      'version-elf-added',
      'version-elf-added',
    ]);
  });

  it('belongs to a build, beside those of other builds and of the version, and goes with the version', async () => {
    const builds = JSON.stringify([
      { deviceModel: 'esp32', files: [{ index: 0, offset: '0x10000' }] },
      { deviceModel: 'esp32c3', files: [{ index: 0, offset: '0x10000' }] },
      { deviceModel: 'stm32f4', files: [{ index: 0, offset: '0x08000000' }] },
    ]);
    const files = [{ ...firmwareFile, bytes: Buffer.alloc(64, 7) }];
    const accepted = '["app.bin"]';
    const version = await owner.newVersion(projectId, { files, builds, acceptDamaged: accepted });
    const [esp32 = '', esp32c3 = '', stm = ''] = version.builds?.map(({ _id }) => _id) ?? [];
    const withoutElfs = await stored();
    const [first, second] = [elfFile('the program for ESP32'), elfFile('the program for ESP32-C3')];
    for (const [file, buildId] of [
      [elf, undefined],
      [first, esp32],
      [second, esp32c3],
    ] as const) {
      expect((await owner.uploadElf(version._id, file, 'elf', buildId)).statusCode).toBe(200);
    }
    // A repeated upload changes nothing.
    const again = await owner.uploadElf(version._id, second, 'elf', esp32c3);
    const hashes = (known: Version) =>
      [known.elf, ...(known.builds ?? []).map((build) => build.elf)].map((one) => one?.sha256);
    expect(hashes(again.json().version)).toEqual([sha256, hashOf(first.bytes), hashOf(second.bytes), undefined]);
    expect(hashes((await owner.projects())[0]?.versions[0] as Version)).toEqual(hashes(again.json().version));
    expect(await stored()).toHaveLength(withoutElfs.length + 3);
    const read = await owner.get(firmwarePaths.versionElf(version._id, esp32c3));
    expect(read.rawPayload.equals(Buffer.from(second.bytes))).toBe(true);
    const found = (file: typeof elf) => owner.get(`${firmwarePaths.elf}?sha256=${hashOf(file.bytes).slice(0, 9)}`);
    expect((await found(second)).json().elf).toMatchObject({ versionId: version._id, buildId: esp32c3 });
    expect((await found(elf)).json().elf).not.toHaveProperty('buildId');
    // The chip of the build decides, and no other account reads, gives or takes.
    const refused = await owner.uploadElf(version._id, elfFile('x'), 'elf', stm);
    expect([refused.statusCode, refused.json().error]).toEqual([400, expect.stringContaining('a program for RISC-V')]);
    const { _id: elsewhere } = await owner.newVersion(projectId, { version: '2' });
    for (const answer of [
      await stranger.get(firmwarePaths.versionElf(version._id, esp32)),
      await stranger.uploadElf(version._id, elf, 'elf', esp32),
      await stranger.remove(firmwarePaths.versionElf(version._id, esp32)),
      await owner.get(firmwarePaths.versionElf(version._id, stm)),
      await owner.uploadElf(elsewhere, elf, 'elf', esp32),
      await owner.uploadElf(version._id, elf, 'elf', 'no-id'),
      await owner.remove(firmwarePaths.versionElf(elsewhere, esp32)),
    ]) {
      expect(answer.statusCode).toBe(404);
    }
    await publish(version);
    const shown = await test.app.inject(sharedFirmwarePaths.item('version', version.shareId));
    expect([shown.statusCode, shown.body]).toEqual([200, expect.not.stringMatching(/elf|crashes/i)]);
    const removed = await owner.remove(firmwarePaths.versionElf(version._id, esp32));
    expect(hashes(removed.json().version)).toEqual([sha256, undefined, hashOf(second.bytes), undefined]);
    // The second version has a file of its own.
    await expect.poll(async () => (await stored()).length).toBe(withoutElfs.length + 3);
    await owner.remove(firmwarePaths.version(elsewhere));
    await owner.remove(firmwarePaths.version(version._id));
    await expect.poll(stored).toEqual(before);
  });

  it.each(['version', 'project'] as const)('is removed with its %s', async (type) => {
    const { _id } = await owner.newVersion(projectId, { elf });
    expect((await stored()).length).toBeGreaterThan(before.length);
    await owner.remove(type === 'version' ? firmwarePaths.version(_id) : firmwarePaths.project(projectId));
    await expect.poll(stored).toEqual(before);
    const opened = await openDatabase(
      place.environment['DATABASE_URL'] === undefined
        ? { path: join(test.dataDir, 'wirebench.sqlite') }
        : place.options,
    );
    try {
      expect(await opened.queries.selectFrom('firmware_elfs').selectAll().execute()).toEqual([]);
      if (store === 'folder') {
        expect(await findRecordFaults(opened.queries, test.dataDir, { projects: 5, versions: 3, jkits: 5 })).toEqual(
          [],
        );
      }
    } finally {
      await opened.close();
    }
  });

  it('stays when the same bytes are removed from the .bin file of another user, and the reverse', async () => {
    const { _id } = await owner.newVersion(projectId, { elf });
    const theirs = await stranger.newProject('Theirs');
    // An ELF file would be refused as an app. As data, the publisher has to accept it.
    const files = [{ name: 'copy.bin', bytes: elf.bytes }];
    const asData = { files, offsets: '["0x110000"]', acceptDamaged: '["copy.bin"]' };
    const copy = await stranger.newVersion(theirs._id, asData);
    await stranger.remove(firmwarePaths.version(copy._id));
    expect((await owner.get(firmwarePaths.versionElf(_id))).statusCode).toBe(200);
    const again = await stranger.newVersion(theirs._id, asData);
    await owner.remove(firmwarePaths.versionElf(_id));
    expect((await stranger.get(firmwarePaths.versionFile(again._id, again.files[0]?._id ?? ''))).statusCode).toBe(200);
  });

  it.each<[string, ReturnType<typeof elfFile>, number, string]>([
    [
      'text',
      { name: 'notes.elf', bytes: Buffer.from('not an ELF file at all') },
      400,
      '"notes.elf" is not the ELF file of a program',
    ],
    ['nothing', { name: 'empty.elf', bytes: Buffer.alloc(0) }, 400, '"empty.elf" is not the ELF file of a program'],
    ['a core dump', elfFile('', { type: 4 }), 400, '"app.elf" is a core dump'],
    ['a program for Arm', elfFile('', { machine: 40 }), 400, '"app.elf" is a program for Arm, and this project is not'],
    [
      'a program for an AVR',
      elfFile('', { machine: 83 }),
      400,
      'is a program for an AVR, whose crashes cannot be decoded',
    ],
    ['a program for a PC', elfFile('', { machine: 62 }), 400, 'for another processor'],
    ['one byte too much', elfFile(Buffer.alloc(1_048_576 - 51)), 413, '"app.elf" is larger than 1 MB'],
  ])('is refused with a sentence if it is %s, with a version and later', async (_what, file, status, sentence) => {
    const late = await owner.newVersion(projectId);
    const known = await stored();
    for (const answer of [
      await owner.upload(projectId, { version: '2', elf: file }),
      await owner.uploadElf(late._id, file),
    ]) {
      expect([answer.statusCode, answer.json().error]).toEqual([status, expect.stringContaining(sentence)]);
    }
    expect(await stored()).toEqual(known);
    expect(await filesIn(join(test.dataDir, 'firmware', 'incoming'))).toEqual([]);
    expect((await owner.projects())[0]?.versions).toHaveLength(1);
  });

  it('is accepted at exactly the size limit', async () => {
    const largest = elfFile(Buffer.alloc(1_048_576 - 52));
    expect((await owner.newVersion(projectId, { elf: largest })).elf?.size).toBe(1_048_576);
  });

  it('is given by a publishing token of the project, which can neither read nor remove it', async () => {
    const version = await owner.newVersion(projectId);
    const { secret } = (await owner.post(tokenPaths.tokens, { name: 'CI', projectId })).json();
    const ci = releaseClient(test.app, { authorization: `Bearer ${secret}` });
    expect((await ci.uploadElf(version._id, elf)).statusCode).toBe(200);
    for (const answer of [
      await ci.get(firmwarePaths.versionElf(version._id)),
      await ci.get(`${firmwarePaths.elf}?sha256=${sha256}`),
      await ci.remove(firmwarePaths.versionElf(version._id)),
    ]) {
      expect([answer.statusCode, answer.json().code]).toEqual([403, 'token-not-allowed']);
    }
    const other = await owner.newProject('Other');
    const elsewhere = await owner.newVersion(other._id);
    expect((await ci.uploadElf(elsewhere._id, elf)).statusCode).toBe(404);
  });

  it('is added and removed by its owner only, and a form holds exactly one', async () => {
    const version = await owner.newVersion(projectId, { elf });
    expect((await stranger.uploadElf(version._id, elfFile('theirs'))).statusCode).toBe(404);
    expect((await stranger.remove(firmwarePaths.versionElf(version._id))).statusCode).toBe(404);
    const missing = await owner.uploadElf(version._id, elfFile('x'), 'files');
    expect([missing.statusCode, missing.json().error]).toEqual([400, 'The form has no ELF file in it']);
    expect((await owner.projects())[0]?.versions[0]?.elf?.sha256).toBe(sha256);
  });
});
