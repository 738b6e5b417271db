/**
 * Items of other users are reported as not found by every call. General access is tested in
 * `security/access.test.ts`.
 */
import { demoReleaseId, firmwarePaths, sharedFirmwarePaths, tokenPaths } from '@wirebench/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeForm, releaseClient } from '../../testing/release-client.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';

let test: TestApp;
let owner: ReturnType<typeof releaseClient>;
let other: ReturnType<typeof releaseClient>;
let projectId: string;
let versionId: string;
let fileId: string;

beforeAll(async () => {
  test = await buildTestApp({ RATE_LIMIT_WRITES: '0' });
  owner = releaseClient(test.app, await test.bearer());
  other = releaseClient(test.app, await test.bearer({ sub: 'subject-of-tinkerer', preferred_username: 'tinkerer' }));
  projectId = (await owner.newProject())._id;
  const version = await owner.newVersion(projectId);
  versionId = version._id;
  fileId = version.files[0]?._id ?? '';
  await owner.setProjectPublic(projectId, true);
  await owner.setVersionPublic(versionId, true);
});

afterAll(() => test[Symbol.asyncDispose]());

type Client = ReturnType<typeof releaseClient>;
type Call = (
  client: Client,
  project: string,
  version: string,
  file: string,
) => Promise<{ statusCode: number; body: string }>;

const calls: readonly [string, Call][] = [
  ['its versions', (client, project) => client.get(firmwarePaths.versions(project))],
  ['its history', (client, project) => client.get(firmwarePaths.projectHistory(project))],
  ['its history as CSV', (client, project) => client.get(`${firmwarePaths.projectHistory(project)}?format=csv`)],
  [
    'a new description',
    (client, project) => client.post(firmwarePaths.projectDescription(project), { description: 'x' }),
  ],
  ['its visibility', (client, project) => client.post(firmwarePaths.projectSharing(project))],
  ['its share id', (client, project) => client.post(firmwarePaths.projectShare(project))],
  ['another link', (client, project) => client.post(firmwarePaths.projectShareRenewal(project))],
  ['an end of its link', (client, project) => client.post(firmwarePaths.projectShareEnd(project), { endsAt: null })],
  ['another link of a version', (client, _project, version) => client.post(firmwarePaths.versionShareRenewal(version))],
  [
    'an end of the link of a version',
    (client, _project, version) => client.post(firmwarePaths.versionShareEnd(version), { endsAt: null }),
  ],
  ['its end', (client, project) => client.remove(firmwarePaths.project(project))],
  ['a new version', (client, project) => client.upload(project, { version: '9' })],
  ['a new version, files first', (client, project) => client.upload(project, { version: '9', filesFirst: true })],
  [
    'new notes of a version',
    (client, _project, version) => client.post(firmwarePaths.versionDescription(version), { description: 'x' }),
  ],
  [
    'the monitor of a version',
    (client, _project, version) => client.post(firmwarePaths.versionConsole(version), { console: null }),
  ],
  [
    'the channel of a version',
    (client, _project, version) => client.post(firmwarePaths.versionChannel(version), { channel: 'beta' }),
  ],
  ['the visibility of a version', (client, _project, version) => client.post(firmwarePaths.versionSharing(version))],
  ['the share id of a version', (client, _project, version) => client.post(firmwarePaths.versionShare(version))],
  ['the end of a version', (client, _project, version) => client.remove(firmwarePaths.version(version))],
  ['the flashes of a version', (client, _project, version) => client.get(firmwarePaths.versionFlashes(version))],
  [
    'a file of a version by its id',
    (client, _project, version, file) => client.get(firmwarePaths.versionFile(version, file)),
  ],
];

const nothing = {
  error: 'There is nothing at this address.',
  message: 'There is nothing at this address.',
  code: 'not-found',
};
const unknown = '01939c00-0000-7000-8000-000000000000';

describe('of what belongs to somebody else', () => {
  it.each(calls)('nobody gets %s, public or not', async (_name, call) => {
    const answer = await call(other, projectId, versionId, fileId);
    expect([answer.statusCode, JSON.parse(answer.body)]).toEqual([404, nothing]);
    expect(await owner.projects()).toMatchObject([
      { isPublic: true, versions: [{ isPublic: true, description: 'The first one' }] },
    ]);
  });
});

describe('of what does not exist', () => {
  it.each(calls)('%s is answered in the same way', async (_name, call) => {
    for (const id of [
      unknown,
      'x',
      '%00',
      "'; drop table firmware_projects; --",
      '..%2f..%2fwirebench.sqlite',
      unknown.toUpperCase(),
    ]) {
      const answer = await call(owner, id, id, id);
      expect([id, answer.statusCode, JSON.parse(answer.body)]).toEqual([id, 404, nothing]);
    }
  });

  it('a file of another version of the same owner is none of this one', async () => {
    const second = await owner.newVersion(projectId, { version: '2' });
    expect((await owner.get(firmwarePaths.versionFile(second._id, fileId))).statusCode).toBe(404);
    expect((await owner.get(sharedFirmwarePaths.file('version', second.shareId, fileId))).statusCode).toBe(404);
  });

  it.each([
    'x',
    'A'.repeat(22),
    '%00'.repeat(22),
    '..%2f..%2f',
    unknown,
    "' or 1=1 or ''='".padEnd(22, 'x'),
    demoReleaseId.toLowerCase(),
  ])('the share id %s leads nowhere', async (id) => {
    for (const type of ['project', 'version'] as const) {
      for (const url of [
        sharedFirmwarePaths.item(type, encodeURIComponent(id)),
        sharedFirmwarePaths.manifest(type, encodeURIComponent(id)),
        sharedFirmwarePaths.badge(type, encodeURIComponent(id)),
        sharedFirmwarePaths.file(type, encodeURIComponent(id), fileId),
      ]) {
        const answer = await test.app.inject(url);
        expect([url, answer.statusCode, answer.json()]).toEqual([url, 404, nothing]);
      }
    }
    const report = await test.app.inject({ method: 'POST', url: sharedFirmwarePaths.flashes(encodeURIComponent(id)) });
    expect(report.statusCode).toBe(404);
  });

  it('a project has no version link, and a version no project link', async () => {
    const { shareId } = (await owner.post(firmwarePaths.projectShare(projectId))).json();
    expect((await test.app.inject(sharedFirmwarePaths.item('version', shareId))).statusCode).toBe(404);
  });
});

describe('a publishing token', () => {
  it('is refused in the words of the page before anything is read', async () => {
    const { payload, contentType } = await encodeForm(projectId, {});
    for (const token of ['wirebench_nonsense', `wirebench_${'A'.repeat(43)}`]) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': contentType };
      const answer = await test.app.inject({ method: 'POST', url: firmwarePaths.newVersion, headers, payload });
      expect([answer.statusCode, answer.json().error, answer.headers['www-authenticate']]).toEqual([
        401,
        'Please sign in to view and manage projects',
        'Bearer',
      ]);
    }
  });

  it('opens the project that it was made for, and nothing of others', async () => {
    const own = await other.newProject('For the build server');
    const created = await other.post(tokenPaths.tokens, { name: 'CI', projectId: own._id });
    const ci = releaseClient(test.app, { authorization: `Bearer ${created.json().secret}` });
    for (const [name, call] of calls) {
      // A call that is forbidden for such tokens is refused before the owner is checked.
      const { statusCode } = await call(ci, projectId, versionId, fileId);
      expect([name, [403, 404].includes(statusCode)]).toEqual([name, true]);
    }
    expect((await ci.newVersion(own._id)).version).toBe('1.0.0');
  });
});

describe('the demo release', () => {
  it('is changed by nobody', async () => {
    const { project, version } = (await test.app.inject(sharedFirmwarePaths.item('version', demoReleaseId))).json();
    expect([project.demo, version.files.length]).toEqual([true, 3]);
    for (const subject of ['subject-of-maker', 'wirebench', ' ']) {
      const client = releaseClient(test.app, await test.bearer({ sub: subject }));
      for (const [name, call] of calls) {
        const answer = await call(client, project._id, version._id, version.files[0]._id);
        expect([name, answer.statusCode]).toEqual([name, 404]);
      }
    }
    expect((await test.app.inject(sharedFirmwarePaths.item('version', demoReleaseId))).json()).toEqual({
      project,
      version,
    });
  });

  it('is in no list and counts against no limit', async () => {
    const client = releaseClient(test.app, await test.bearer({ sub: 'new-here' }));
    expect(await client.projects()).toEqual([]);
    for (let number = 0; number < 5; number++) {
      await client.newProject(`Project ${number}`);
    }
  });
});
