/** The life of a share: one test for each row of the table that defines it. */
import { firmwarePaths, type Project, sharedFirmwarePaths, type Version } from '@wirebench/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DatabasePlace, databaseKinds } from '../../testing/databases.ts';
import { releaseClient } from '../../testing/release-client.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';

let database: DatabasePlace;
let test: TestApp;
let owner: ReturnType<typeof releaseClient>;
let other: ReturnType<typeof releaseClient>;
let project: Project;
let version: Version;

/** Returns every public address of the project or the version. */
const addressesOf = (type: 'project' | 'version', { shareId }: { shareId: string }, of: Version = version) => [
  sharedFirmwarePaths.item(type, shareId),
  sharedFirmwarePaths.manifest(type, shareId),
  sharedFirmwarePaths.badge(type, shareId),
  ...of.files.map(({ _id }) => sharedFirmwarePaths.file(type, shareId, _id)),
];

/** Returns the statuses that strangers get, signed in or not. */
async function statusesOf(addresses: readonly string[]): Promise<number[]> {
  const answers = await Promise.all(
    addresses.flatMap((url) => [test.app.inject(url), other.get(url), test.app.inject({ method: 'HEAD', url })]),
  );
  return [...new Set(answers.map(({ statusCode }) => statusCode))];
}

const ownersVersions = async () => (await owner.projects())[0]?.versions.map(({ version: number }) => number);

const publishAll = async () => {
  await owner.setProjectPublic(project._id, true);
  await owner.setVersionPublic(version._id, true);
};

describe.each(databaseKinds)('the life of a share on $name', ({ appPlace }) => {
  beforeEach(async () => {
    database = await appPlace();
    test = await buildTestApp({ RATE_LIMIT_WRITES: '0', ...database.environment });
    owner = releaseClient(test.app, await test.bearer());
    other = releaseClient(test.app, await test.bearer({ sub: 'subject-of-tinkerer', preferred_username: 'tinkerer' }));
    project = await owner.newProject();
    version = await owner.newVersion(project._id);
  });

  afterEach(async () => {
    await test[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  it('private, never shared: its owner reads it by its id, strangers find nothing', async () => {
    const [own] = await owner.projects();
    expect(own).toMatchObject({ _id: project._id, isPublic: false, versions: [{ _id: version._id, isPublic: false }] });
    expect((await owner.get(firmwarePaths.versions(project._id))).json().versions).toHaveLength(1);
    const [file] = version.files;
    expect((await owner.get(firmwarePaths.versionFile(version._id, file?._id ?? ''))).statusCode).toBe(200);

    expect(await statusesOf([...addressesOf('project', project), ...addressesOf('version', version)])).toEqual([404]);
    for (const url of [firmwarePaths.versions(project._id), firmwarePaths.versionFile(version._id, file?._id ?? '')]) {
      expect((await other.get(url)).statusCode).toBe(404);
    }
    expect((await owner.post(firmwarePaths.projectShare(project._id))).json().error).toBe(
      'Make this project public before sharing it.',
    );
  });

  it('public project, no public version: strangers see the project, without a version', async () => {
    await owner.setProjectPublic(project._id, true);
    const { shareId } = (await owner.post(firmwarePaths.projectShare(project._id))).json();
    const shared = await test.app.inject(sharedFirmwarePaths.item('project', shareId));
    expect([shared.statusCode, shared.json().project.versions]).toEqual([200, []]);
    const badge = await test.app.inject(sharedFirmwarePaths.badge('project', shareId));
    expect(badge.body).toContain('no version published yet');
    expect(
      await statusesOf([sharedFirmwarePaths.manifest('project', shareId), ...addressesOf('version', version)]),
    ).toEqual([404]);
    expect(await ownersVersions()).toEqual(['1.0.0']);
    expect((await owner.post(firmwarePaths.versionShare(version._id))).json().error).toBe(
      'Make this version public before sharing it.',
    );
  });

  it('public project, public version, shared: strangers see the public ones, the version link works', async () => {
    const hidden = await owner.newVersion(project._id, { version: '2.0.0-rc' });
    await publishAll();
    const projectLink = (await owner.post(firmwarePaths.projectShare(project._id))).json();
    const versionLink = (await owner.post(firmwarePaths.versionShare(version._id))).json();
    expect(await statusesOf([...addressesOf('project', projectLink), ...addressesOf('version', versionLink)])).toEqual([
      200,
    ]);
    const { versions } = (await test.app.inject(sharedFirmwarePaths.item('project', projectLink.shareId))).json()
      .project;
    expect(versions.map(({ version: number }: Version) => number)).toEqual(['1.0.0']);
    expect(await statusesOf(addressesOf('version', hidden, hidden))).toEqual([404]);
    expect(
      await statusesOf(hidden.files.map(({ _id }) => sharedFirmwarePaths.file('project', projectLink.shareId, _id))),
    ).toEqual([404]);
    expect(await ownersVersions()).toEqual(expect.arrayContaining(['1.0.0', '2.0.0-rc']));
  });

  it('project made private: gone at once, for versions too, whose own visibility is kept', async () => {
    await publishAll();
    const everything = [...addressesOf('project', project), ...addressesOf('version', version)];
    expect(await statusesOf(everything)).toEqual([200]);
    await owner.setProjectPublic(project._id, false);
    expect(await statusesOf(everything)).toEqual([404]);
    expect((await owner.projects())[0]).toMatchObject({ isPublic: false, versions: [{ isPublic: true }] });
    const toggled = await owner.post(firmwarePaths.versionSharing(version._id));
    expect([toggled.statusCode, toggled.json().code]).toEqual([409, 'versions-not-visible']);
    const shared = await owner.post(firmwarePaths.versionShare(version._id));
    expect([shared.statusCode, shared.json().error]).toEqual([409, 'Make this project public before sharing it.']);
  });

  it('public again: the same share ids work again', async () => {
    await publishAll();
    const before = (await owner.post(firmwarePaths.projectShare(project._id))).json();
    await owner.setProjectPublic(project._id, false);
    await owner.setProjectPublic(project._id, true);
    expect((await owner.post(firmwarePaths.projectShare(project._id))).json()).toEqual(before);
    expect(await statusesOf([...addressesOf('project', before), ...addressesOf('version', version)])).toEqual([200]);
  });

  it.each(['private', 'deleted'])(
    'version made %s: its link is gone, the project link shows the rest',
    async (change) => {
      const second = await owner.newVersion(project._id, { version: '1.1.0' });
      await publishAll();
      await owner.setVersionPublic(second._id, true);
      const versionsShown = async () =>
        (await test.app.inject(sharedFirmwarePaths.item('project', project.shareId)))
          .json()
          .project.versions.map(({ version: number }: Version) => number);
      expect((await versionsShown()).toSorted()).toEqual(['1.0.0', '1.1.0']);
      if (change === 'private') {
        await owner.setVersionPublic(version._id, false);
      } else {
        expect((await owner.remove(firmwarePaths.version(version._id))).statusCode).toBe(204);
      }
      expect(await statusesOf(addressesOf('version', version))).toEqual([404]);
      expect(
        await statusesOf(version.files.map(({ _id }) => sharedFirmwarePaths.file('project', project.shareId, _id))),
      ).toEqual([404]);
      expect(await versionsShown()).toEqual(['1.1.0']);
    },
  );

  it('project deleted: nothing for anyone', async () => {
    await publishAll();
    expect((await owner.remove(firmwarePaths.project(project._id))).statusCode).toBe(204);
    expect(await statusesOf([...addressesOf('project', project), ...addressesOf('version', version)])).toEqual([404]);
    expect(await owner.projects()).toEqual([]);
    for (const url of [firmwarePaths.versions(project._id), firmwarePaths.projectHistory(project._id)]) {
      expect((await owner.get(url)).statusCode).toBe(404);
    }
  });
});
