/** Channels of versions: a project's link follows the stable ones, and both if it is asked to. */
import {
  EspManifest,
  firmwarePaths,
  History,
  type Project,
  ProjectAnswer,
  sharedFirmwarePaths,
  type Version,
  VersionAnswer,
} from '@wirebench/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { releaseClient } from '../../testing/release-client.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';

let test: TestApp;
let owner: ReturnType<typeof releaseClient>;

beforeAll(async () => {
  test = await buildTestApp({ RATE_LIMIT_WRITES: '0', LIMIT_PROJECTS: '20' });
  owner = releaseClient(test.app, await test.bearer());
});

afterAll(() => test[Symbol.asyncDispose]());

const get = (url: string) => test.app.inject({ url });

/** Creates a public project with a stable 1.0.0 and a newer beta 2.0.0-rc1, both public. */
async function published(name: string): Promise<{ project: Project; stable: Version; beta: Version }> {
  const project = await owner.newProject(name);
  await owner.setProjectPublic(project._id, true);
  const stable = await owner.newVersion(project._id);
  await test.clock.advance(1_000);
  const beta = await owner.newVersion(project._id, { version: '2.0.0-rc1', channel: 'beta' });
  for (const { _id } of [stable, beta]) {
    await owner.setVersionPublic(_id, true);
  }
  return { project, stable, beta };
}

const versionsOf = async (shareId: string, query = '') =>
  ProjectAnswer.parse((await get(sharedFirmwarePaths.item('project', shareId) + query)).json()).project.versions.map(
    ({ version }) => version,
  );
const manifestVersion = async (shareId: string, query = '') =>
  EspManifest.parse((await get(sharedFirmwarePaths.manifest('project', shareId) + query)).json()).version;

describe('the link of a project', () => {
  it('leads to stable versions, and with channel=beta to the newest of both', async () => {
    const { project } = await published('Follows stable');
    expect(await versionsOf(project.shareId)).toEqual(['1.0.0']);
    expect(await versionsOf(project.shareId, '?channel=stable')).toEqual(['1.0.0']);
    expect(await versionsOf(project.shareId, '?channel=beta')).toEqual(['2.0.0-rc1', '1.0.0']);
    expect(await manifestVersion(project.shareId)).toBe('1.0.0');
    expect(await manifestVersion(project.shareId, '?channel=beta')).toBe('2.0.0-rc1');
    const badge = sharedFirmwarePaths.badge('project', project.shareId);
    expect((await get(badge)).body).toContain('>1.0.0<');
    expect((await get(`${badge}?channel=beta`)).body).toContain('>2.0.0-rc1<');
  });

  it('with channel=beta leads to a stable version that is newer than each beta', async () => {
    const { project } = await published('Newer stable');
    await test.clock.advance(1_000);
    const newer = await owner.newVersion(project._id, { version: '2.0.0' });
    await owner.setVersionPublic(newer._id, true);
    expect(await manifestVersion(project.shareId)).toBe('2.0.0');
    expect(await manifestVersion(project.shareId, '?channel=beta')).toBe('2.0.0');
  });

  it('has no version if the project has only beta versions, and its badge says so', async () => {
    const { project, stable } = await published('Beta alone');
    await owner.remove(firmwarePaths.version(stable._id));
    expect(await versionsOf(project.shareId)).toEqual([]);
    expect((await get(sharedFirmwarePaths.manifest('project', project.shareId))).statusCode).toBe(404);
    expect((await get(sharedFirmwarePaths.badge('project', project.shareId))).body).toContain('no version published');
  });

  it('serves the files of a beta version below it', async () => {
    const { project, beta } = await published('Files of beta');
    const manifest = sharedFirmwarePaths.manifest('project', project.shareId);
    const { builds } = EspManifest.parse((await get(`${manifest}?channel=beta`)).json());
    const path = builds[0]?.parts[0]?.path ?? '';
    expect(path).toBe(`files/${beta.files[0]?._id}`);
    expect((await get(new URL(path, `http://host${manifest}`).pathname)).statusCode).toBe(200);
  });

  it('is refused with an unknown channel', async () => {
    const { project } = await published('Unknown channel');
    const answer = await get(`${sharedFirmwarePaths.item('project', project.shareId)}?channel=alpha`);
    expect([answer.statusCode, answer.body]).toEqual([
      400,
      expect.stringContaining('channel must be one of stable, beta'),
    ]);
  });
});

describe('a version', () => {
  it('has a link of its own that leads to it in either channel', async () => {
    const { beta } = await published('Own link');
    const { version } = (await get(sharedFirmwarePaths.item('version', beta.shareId))).json();
    expect(version).toMatchObject({ version: '2.0.0-rc1', channel: 'beta' });
  });

  it('does not mention channels if it is stable', async () => {
    const { stable } = await published('Says nothing');
    expect(stable).not.toHaveProperty('channel');
    expect((await get(sharedFirmwarePaths.item('version', stable.shareId))).body).not.toContain('channel');
  });

  it('can be moved to the other channel, with an entry in the history and at the project link', async () => {
    const { project, beta } = await published('Moves');
    const move = (channel: string) => owner.post(firmwarePaths.versionChannel(beta._id), { channel });
    expect(VersionAnswer.parse((await move('stable')).json()).version).not.toHaveProperty('channel');
    expect(await manifestVersion(project.shareId)).toBe('2.0.0-rc1');
    expect((await move('stable')).statusCode).toBe(200);
    expect(VersionAnswer.parse((await move('beta')).json()).version.channel).toBe('beta');
    expect(await manifestVersion(project.shareId)).toBe('1.0.0');
    const { history } = History.parse((await owner.get(firmwarePaths.projectHistory(project._id))).json());
    expect(history.filter(({ action }) => action === 'version-channel-changed')).toHaveLength(2);
  });

  it('is not moved to an unknown channel or by another user', async () => {
    const { beta } = await published('Not moved');
    const path = firmwarePaths.versionChannel(beta._id);
    expect((await owner.post(path, { channel: 'alpha' })).statusCode).toBe(400);
    const other = releaseClient(test.app, await test.bearer({ sub: 'someone-else' }));
    expect((await other.post(path, { channel: 'stable' })).statusCode).toBe(404);
  });
});
