/**
 * A flood of flash reports, which any client may send. In the past, each report was a write and cleared the release's
 * cached answers. A few dozen per second made all its reads slow.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { firmwarePaths, type Project, sharedFirmwarePaths, type Version } from '@wirebench/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noise } from '../../testing/noise.ts';
import { releaseClient } from '../../testing/release-client.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';

const REPORTS = 500;

let test: TestApp;
let owner: ReturnType<typeof releaseClient>;
let project: Project;
let version: Version;

beforeEach(async () => {
  test = await buildTestApp({ RATE_LIMIT_WRITES: '0' });
  owner = releaseClient(test.app, await test.bearer());
  project = await owner.newProject();
  version = await owner.newVersion(project._id, { files: [{ name: 'app.bin', bytes: noise(1_000) }] });
  await owner.setProjectPublic(project._id, true);
  await owner.setVersionPublic(version._id, true);
});

afterEach(() => test[Symbol.asyncDispose]());

const report = (payload: object) =>
  test.app.inject({ method: 'POST', url: sharedFirmwarePaths.flashes(version.shareId), payload });

/** Runs a statement on the database from outside the server. */
function inDatabase(statement: string): readonly object[] {
  const database = new DatabaseSync(join(test.dataDir, 'wirebench.sqlite'), { readOnly: true });
  try {
    return database.prepare(statement).all();
  } finally {
    database.close();
  }
}

const revisions = () => inDatabase('select revision from firmware_projects order by id');

describe('a flood of flash reports', () => {
  it('changes neither the cached answers nor their tags, and causes one write a second', async () => {
    const urls = [
      sharedFirmwarePaths.item('version', version.shareId),
      sharedFirmwarePaths.item('project', project.shareId),
      sharedFirmwarePaths.manifest('version', version.shareId),
      sharedFirmwarePaths.badge('project', project.shareId),
    ];
    const tagsOf = async () => Promise.all(urls.map(async (url) => (await test.app.inject(url)).headers.etag));
    const before = await tagsOf();
    const revisionsBefore = revisions();

    const answers = await Promise.all(Array.from({ length: REPORTS }, () => report({ chip: 'ESP32' })));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([204]));
    expect(inDatabase('select * from firmware_flashes')).toEqual([]);
    expect(await tagsOf()).toEqual(before);
    for (const [index, url] of urls.entries()) {
      const again = await test.app.inject({ url, headers: { 'if-none-match': String(before[index]) } });
      expect([url, again.statusCode, again.body]).toEqual([url, 304, '']);
    }
    // A read still returns all of them.
    expect((await test.app.inject(urls[0] ?? '')).json().version.writeCount).toBe(REPORTS);
    expect((await test.app.inject(urls[1] ?? '')).json().project.versions[0].writeCount).toBe(REPORTS);

    await test.clock.advance(1_000);
    await expect
      .poll(() => inDatabase('select chip, count from firmware_flashes'))
      .toEqual([{ chip: 'ESP32', count: REPORTS }]);
    expect(revisions()).toEqual(revisionsBefore);
    expect(await tagsOf()).toEqual(before);
  });

  it('is counted at once and completely for the owner', async () => {
    for (let number = 1; number <= 3; number++) {
      await Promise.all(Array.from({ length: 100 }, () => report({})));
      await report({ result: 'failure', chip: 'ESP32', errorCode: 'no-answer' });
      const { flashes } = (await owner.get(firmwarePaths.versionFlashes(version._id))).json();
      expect([flashes.successes, flashes.failures]).toEqual([100 * number, number]);
      expect((await owner.projects())[0]?.versions[0]?.writeCount).toBe(100 * number);
    }
  });

  it('is counted completely under a limited number of words', async () => {
    await Promise.all(Array.from({ length: REPORTS }, (_, number) => report({ chip: `ESP ${number}` })));
    const { flashes } = (await owner.get(firmwarePaths.versionFlashes(version._id))).json();
    expect(flashes.successes).toBe(REPORTS);
    expect(flashes.counts.length).toBeLessThanOrEqual(201);
  });

  it('gets 404 and leaves nothing for an unknown, private or deleted version', async () => {
    await owner.setVersionPublic(version._id, false);
    expect((await report({})).statusCode).toBe(404);
    await owner.setVersionPublic(version._id, true);
    expect((await report({})).statusCode).toBe(204);
    await owner.remove(firmwarePaths.version(version._id));
    expect((await report({})).statusCode).toBe(404);
    await test.clock.advance(2_000);
    expect((await test.app.inject('/api/ready')).statusCode).toBe(200);
    expect(inDatabase('select * from firmware_flashes')).toEqual([]);
  });
});
