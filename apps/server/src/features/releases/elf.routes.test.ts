/**
 * The ELF file of a version: access, and removal of its bytes, on every database and every store. `WIREBENCH_TEST_LONG=1`
 * runs all pairs of them.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { firmwarePaths, sharedFirmwarePaths, tokenPaths, type Version } from '@wirebench/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../storage/database/database.ts';
import { type DatabasePlace, databaseKinds } from '../../testing/databases.ts';
import { findRecordFaults } from '../../testing/record-faults.ts';
import { elfFile, releaseClient } from '../../testing/release-client.ts';
import { createBucket, hasS3 } from '../../testing/s3-bucket.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';
import { filesIn } from '../../testing/upload-test.ts';

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const elf = elfFile();
const sha256 = hashOf(elf.bytes);

const long = process.env['WIREBENCH_TEST_LONG'] === '1';
const stores = hasS3 ? ['folder', 'S3'] : ['folder'];
const pairs = databaseKinds.flatMap((database, row) =>
  stores.map((store, column) => ({ database, store, isOnDiagonal: row === column })),
);
/** The diagonal has every database and every store once if there are as many of both. */
const places =
  long || databaseKinds.length !== stores.length ? pairs : pairs.filter(({ isOnDiagonal }) => isOnDiagonal);

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

  it('comes with the version, and only its owner reads it', async () => {
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

  it('is found by the first digits of its hash, by its owner alone', async () => {
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

  it.each(['version', 'project'] as const)('goes with its %s', async (type) => {
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

  it('that has the bytes of a .bin file of somebody else stays when that one goes, and is no file of anybody', async () => {
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
  ])('that is %s is refused with a sentence, with a version and later', async (_what, file, status, sentence) => {
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

  it('of exactly the limit is taken', async () => {
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

  it("is nobody else's to give or take, and one form has one", async () => {
    const version = await owner.newVersion(projectId, { elf });
    expect((await stranger.uploadElf(version._id, elfFile('theirs'))).statusCode).toBe(404);
    expect((await stranger.remove(firmwarePaths.versionElf(version._id))).statusCode).toBe(404);
    const missing = await owner.uploadElf(version._id, elfFile('x'), 'files');
    expect([missing.statusCode, missing.json().error]).toEqual([400, 'The form has no ELF file in it']);
    expect((await owner.projects())[0]?.versions[0]?.elf?.sha256).toBe(sha256);
  });
});
