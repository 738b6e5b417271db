/**
 * Items of other users are reported as not found by every call that the app has. General access is tested in
 * `security/access.test.ts`.
 */
import {
  demoReleaseId,
  firmwarePaths,
  picturePaths,
  sharedFirmwarePaths,
  sharedFirmwareRoot,
  tokenPaths,
} from '@wirebench/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiDocument, type ApiOperation, readApiDocument } from '../../testing/api-document.ts';
import { crashReport } from '../../testing/crash-reports.ts';
import { elfFile, encodeForm, releaseClient } from '../../testing/release-client.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';

type Headers = Readonly<Record<string, string>>;

let test: TestApp;
let owner: ReturnType<typeof releaseClient>;
let other: ReturnType<typeof releaseClient>;
let ownerHeaders: Headers;
let otherHeaders: Headers;
/** `api-docs.test.ts` compares the document, from which they are, with the routes. */
let calls: readonly ApiOperation[];
let projectId: string;
let versionId: string;
let fileId: string;

beforeAll(async () => {
  test = await buildTestApp({ RATE_LIMIT_WRITES: '0' });
  calls = callsOf(await readApiDocument(test.app));
  ownerHeaders = await test.bearer();
  otherHeaders = await test.bearer({ sub: 'subject-of-tinkerer', preferred_username: 'tinkerer' });
  owner = releaseClient(test.app, ownerHeaders);
  other = releaseClient(test.app, otherHeaders);
  projectId = (await owner.newProject())._id;
  const version = await owner.newVersion(projectId, { elf: elfFile('a program') });
  versionId = version._id;
  fileId = version.files[0]?._id ?? '';
  await owner.setProjectPublic(projectId, true);
  await owner.setVersionPublic(versionId, true);
});

afterAll(() => test[Symbol.asyncDispose]());

/** Calls that name no project, version or file: there is nothing of another user to refuse. */
const namesNothing = [`GET ${firmwarePaths.projects}`, `POST ${firmwarePaths.newProject}`, `GET ${firmwarePaths.elf}`];

/** Bodies of the calls that need one, valid, so that only the owner is a reason to refuse. */
const bodies: Readonly<Record<string, object>> = {
  [firmwarePaths.projectDescription('{id}')]: { description: 'x' },
  [firmwarePaths.projectShareEnd('{id}')]: { endsAt: null },
  [firmwarePaths.projectPull('{id}')]: { manifest: 'https://127.0.0.1/manifest.json' },
  [picturePaths.page('{id}')]: { sentence: null },
  [firmwarePaths.versionDescription('{id}')]: { description: 'x' },
  [firmwarePaths.versionConsole('{id}')]: { console: null },
  [firmwarePaths.versionChannel('{id}')]: { channel: 'beta' },
  [firmwarePaths.versionShareEnd('{id}')]: { endsAt: null },
  [firmwarePaths.versionCrashes('{id}')]: crashReport(),
};

interface Item {
  readonly project: string;
  readonly version: string;
  readonly file: string;
}

/** Every owner's call of the app about an item. A call that is added later is among them. */
const callsOf = ({ operations }: ApiDocument): readonly ApiOperation[] =>
  operations.filter(
    ({ method, path }) =>
      path.startsWith('/api/firmware/') &&
      !path.startsWith(sharedFirmwareRoot) &&
      !namesNothing.includes(`${method} ${path}`),
  );

/** Sends a call about `item`, with each parameter of the path filled in. */
async function send({ method, path, requestBody }: ApiOperation, headers: Headers, item: Item) {
  const isProjects = path.startsWith(firmwarePaths.project('')) || path.startsWith(firmwarePaths.versions(''));
  const url = path.replace('{id}', isProjects ? item.project : item.version).replace(/\{\w+\}/g, item.file);
  if ('multipart/form-data' in requestBody) {
    const { payload, contentType } = await encodeForm(item.project, { version: '9' });
    return test.app.inject({ method, url, headers: { ...headers, 'content-type': contentType }, payload });
  }
  const body = method === 'POST' ? bodies[path] : undefined;
  return test.app.inject({ method, url, headers, ...(body === undefined ? {} : { payload: body }) });
}

const nothing = {
  error: 'There is nothing at this address.',
  message: 'There is nothing at this address.',
  code: 'not-found',
};
const unknown = '01939c00-0000-7000-8000-000000000000';

/** Every call about `item` answers that there is nothing. */
async function expectNothing(headers: Headers, item: Item): Promise<void> {
  for (const call of calls) {
    const answer = await send(call, headers, item);
    expect([call.method, call.path, answer.statusCode, answer.json()]).toEqual([call.method, call.path, 404, nothing]);
  }
}

describe('the calls about an item', () => {
  it('are those of the app, with the ones that change and the ones that read', () => {
    expect(new Set(calls.map(({ method }) => method))).toEqual(new Set(['GET', 'POST', 'DELETE']));
    const paths = calls.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining([firmwarePaths.newVersion, ...Object.keys(bodies)]));
  });
});

describe('a release of the caller', () => {
  it('is answered by every call that reads what it has', async () => {
    // It has no picture and no crash.
    const reading = calls.filter(({ method, path }) => method === 'GET' && !/picture|fingerprint/.test(path));
    for (const call of reading) {
      const answer = await send(call, ownerHeaders, { project: projectId, version: versionId, file: fileId });
      expect([call.path, answer.statusCode]).toEqual([call.path, 200]);
    }
  });
});

describe('a release of another user', () => {
  it('is refused with 404 by every call, public or not', async () => {
    await expectNothing(otherHeaders, { project: projectId, version: versionId, file: fileId });
    expect(await owner.projects()).toMatchObject([
      { isPublic: true, versions: [{ isPublic: true, description: 'The first one' }] },
    ]);
  });

  it('is refused before a form is read whose files come first', async () => {
    const answer = await other.upload(projectId, { version: '9', filesFirst: true });
    expect([answer.statusCode, answer.json()]).toEqual([404, nothing]);
  });

  it('is refused as CSV too', async () => {
    const answer = await other.get(`${firmwarePaths.projectHistory(projectId)}?format=csv`);
    expect([answer.statusCode, answer.json()]).toEqual([404, nothing]);
  });
});

describe('unknown ids', () => {
  it.each([
    unknown,
    'x',
    '%00',
    "'; drop table firmware_projects; --",
    '..%2f..%2fwirebench.sqlite',
    unknown.toUpperCase(),
  ])('are answered with the same 404 by every call: %s', async (id) => {
    await expectNothing(ownerHeaders, { project: id, version: id, file: id });
  });

  it('include a file of another version of the same owner', async () => {
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
  ])('give 404 for the share id %s', async (id) => {
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

  it('include the share id of a project in the link of a version', async () => {
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
    const ciHeaders = { authorization: `Bearer ${created.json().secret}` };
    const ci = releaseClient(test.app, ciHeaders);
    for (const call of calls) {
      // A call that is forbidden for such tokens is refused before the owner is checked.
      const { statusCode } = await send(call, ciHeaders, { project: projectId, version: versionId, file: fileId });
      expect([call.method, call.path, [403, 404].includes(statusCode)]).toEqual([call.method, call.path, true]);
    }
    expect((await ci.newVersion(own._id)).version).toBe('1.0.0');
  });
});

describe('the demo release', () => {
  it('is changed by no user', async () => {
    const { project, version } = (await test.app.inject(sharedFirmwarePaths.item('version', demoReleaseId))).json();
    expect([project.demo, version.files.length]).toEqual([true, 3]);
    for (const subject of ['subject-of-maker', 'wirebench', ' ']) {
      const headers = await test.bearer({ sub: subject });
      for (const call of calls) {
        const item = { project: project._id, version: version._id, file: version.files[0]._id };
        const { statusCode } = await send(call, headers, item);
        expect([call.method, call.path, statusCode]).toEqual([call.method, call.path, 404]);
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
