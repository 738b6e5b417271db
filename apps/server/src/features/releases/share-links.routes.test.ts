import { firmwarePaths, History, type Project, sharedFirmwarePaths, type Version } from '@wirebench/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DatabasePlace, databaseKinds } from '../../testing/databases.ts';
import { releaseClient } from '../../testing/release-client.ts';
import { buildTestApp, type TestApp, testStart } from '../../testing/test-app.ts';

let database: DatabasePlace;
let test: TestApp;
let owner: ReturnType<typeof releaseClient>;
let project: Project;
let version: Version;

const hour = 3_600_000;
const at = (moment: number) => new Date(moment).toISOString();
const paths = {
  project: { renew: firmwarePaths.projectShareRenewal, end: firmwarePaths.projectShareEnd },
  version: { renew: firmwarePaths.versionShareRenewal, end: firmwarePaths.versionShareEnd },
};
const itemOf = (type: 'project' | 'version') => (type === 'project' ? project : version);
const addresses = (type: 'project' | 'version', shareId: string) => [
  sharedFirmwarePaths.item(type, shareId),
  sharedFirmwarePaths.manifest(type, shareId),
  sharedFirmwarePaths.badge(type, shareId),
  sharedFirmwarePaths.file(type, shareId, version.files[0]?._id ?? ''),
];
const codesOf = async (type: 'project' | 'version', shareId: string) => {
  const answers = await Promise.all(
    addresses(type, shareId).map((url) => test.app.inject({ url, headers: { 'if-none-match': 'W/"x"' } })),
  );
  return [...new Set(answers.map(({ statusCode, body }) => (statusCode === 200 ? 200 : JSON.parse(body).code)))];
};

describe.each(databaseKinds)('a link on $name', ({ appPlace }) => {
  beforeEach(async () => {
    database = await appPlace();
    test = await buildTestApp({ RATE_LIMIT_WRITES: '0', ...database.environment });
    owner = releaseClient(test.app, await test.bearer());
    project = await owner.newProject();
    version = await owner.newVersion(project._id);
    await owner.setProjectPublic(project._id, true);
    await owner.setVersionPublic(version._id, true);
  });

  afterEach(async () => {
    await test[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  describe.each(['project', 'version'] as const)('share link of a %s', (type) => {
    it('gets a new id when it is renewed, and the old id stops at once', async () => {
      const item = itemOf(type);
      expect(await codesOf(type, item.shareId)).toEqual([200]);
      const answer = await owner.post(paths[type].renew(item._id));
      const { shareId } = answer.json()[type];
      expect(shareId).toMatch(/^[\w-]{22}$/);
      expect(shareId).not.toBe(item.shareId);
      expect(await codesOf(type, item.shareId)).toEqual(['not-found']);
      expect(await codesOf(type, shareId)).toEqual([200]);
      const share = type === 'project' ? firmwarePaths.projectShare : firmwarePaths.versionShare;
      expect((await owner.post(share(item._id))).json()).toEqual({ shareId });
      const { history } = History.parse((await owner.get(firmwarePaths.projectHistory(project._id))).json());
      expect(history[0]?.action).toBe(`${type}-link-renewed`);
    });

    it('works until its expiry and then answers that it has ended', async () => {
      const item = itemOf(type);
      const endsAt = at(testStart + hour);
      const ended = await owner.post(paths[type].end(item._id), { endsAt });
      expect(ended.json()[type].shareEndsAt).toBe(endsAt);
      await test.clock.advance(hour - 1);
      expect(await codesOf(type, item.shareId)).toEqual([200]);
      await test.clock.advance(1);
      expect(await codesOf(type, item.shareId)).toEqual(['share-ended']);
      const answer = await test.app.inject(sharedFirmwarePaths.item(type, item.shareId));
      expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([410, '*']);
      const [file] = addresses(type, item.shareId).slice(-1);
      const range = await test.app.inject({ url: file ?? '', headers: { range: 'bytes=0-3' } });
      expect(range.statusCode).toBe(410);
    });

    it('works again when its expiry is removed or postponed', async () => {
      const item = itemOf(type);
      await owner.post(paths[type].end(item._id), { endsAt: at(testStart + hour) });
      await test.clock.advance(2 * hour);
      const signedIn = releaseClient(test.app, await test.bearer());
      await signedIn.post(paths[type].end(item._id), { endsAt: at(testStart + 3 * hour) });
      expect(await codesOf(type, item.shareId)).toEqual([200]);
      await test.clock.advance(2 * hour);
      const again = releaseClient(test.app, await test.bearer());
      const cleared = await again.post(paths[type].end(item._id), { endsAt: null });
      expect(cleared.json()[type]).not.toHaveProperty('shareEndsAt');
      expect(await codesOf(type, item.shareId)).toEqual([200]);
    });

    it('has no expiry after it ended and was renewed', async () => {
      const item = itemOf(type);
      await owner.post(paths[type].end(item._id), { endsAt: at(testStart + hour) });
      await test.clock.advance(hour);
      const signedIn = releaseClient(test.app, await test.bearer());
      const renewed = (await signedIn.post(paths[type].renew(item._id))).json()[type];
      expect(renewed).not.toHaveProperty('shareEndsAt');
      expect(await codesOf(type, renewed.shareId)).toEqual([200]);
      expect(await codesOf(type, item.shareId)).toEqual(['not-found']);
    });

    it('is answered with 404 after its end if its item is private or deleted', async () => {
      const item = itemOf(type);
      await owner.post(paths[type].end(item._id), { endsAt: at(testStart + hour) });
      await test.clock.advance(hour);
      const signedIn = releaseClient(test.app, await test.bearer());
      await signedIn.setProjectPublic(project._id, false);
      expect(await codesOf(type, item.shareId)).toEqual(['not-found']);
      await signedIn.remove(firmwarePaths.project(project._id));
      expect(await codesOf(type, item.shareId)).toEqual(['not-found']);
    });

    it.each([
      [{ endsAt: at(testStart) }, 'The expiry of a link must be in the future'],
      [{ endsAt: 'tomorrow' }, 'endsAt must be a time in UTC, such as 2027-01-31T12:00:00.000Z'],
      [{ endsAt: '2027-01-31T12:00:00+02:00' }, 'endsAt must be a time in UTC, such as 2027-01-31T12:00:00.000Z'],
      [{ endsAt: 5 }, 'endsAt must be a time in UTC, such as 2027-01-31T12:00:00.000Z'],
    ])('refuses the expiry %j', async (body, sentence) => {
      const answer = await owner.post(paths[type].end(itemOf(type)._id), body);
      expect([answer.statusCode, answer.json().error]).toEqual([400, sentence]);
      expect(await codesOf(type, itemOf(type).shareId)).toEqual([200]);
    });

    it('is changed by its owner only', async () => {
      const stranger = releaseClient(test.app, await test.bearer({ sub: 'subject-of-tinkerer' }));
      const { _id: id, shareId } = itemOf(type);
      expect((await stranger.post(paths[type].renew(id))).statusCode).toBe(404);
      expect((await stranger.post(paths[type].end(id), { endsAt: null })).statusCode).toBe(404);
      expect(await codesOf(type, shareId)).toEqual([200]);
    });
  });

  it('works for a version after that of its project has ended', async () => {
    await owner.post(paths.project.end(project._id), { endsAt: at(testStart + hour) });
    await test.clock.advance(hour);
    expect(await codesOf('project', project.shareId)).toEqual(['share-ended']);
    expect(await codesOf('version', version.shareId)).toEqual([200]);
  });
});
