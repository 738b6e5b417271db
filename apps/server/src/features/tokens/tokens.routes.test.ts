import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  apiPaths,
  firmwarePaths,
  History,
  NewTokenAnswer,
  type Project,
  sharedFirmwarePaths,
  TokenList,
  tokenPaths,
} from '@wirebench/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { releaseClient } from '../../testing/release-client.ts';
import { buildTestApp, type TestApp, testStart } from '../../testing/test-app.ts';

let test: TestApp;
let owner: ReturnType<typeof releaseClient>;
let project: Project;

const day = 86_400_000;
const at = (moment: number) => new Date(moment).toISOString();

beforeEach(async () => {
  test = await buildTestApp({ RATE_LIMIT_WRITES: '0' });
  owner = releaseClient(test.app, await test.bearer());
  project = await owner.newProject('Weather');
});

afterEach(() => test[Symbol.asyncDispose]());

async function newToken(body: object = {}) {
  const answer = await owner.post(tokenPaths.tokens, { name: 'CI', projectId: project._id, ...body });
  expect(answer.statusCode).toBe(201);
  return NewTokenAnswer.parse(answer.json());
}

const clientWith = (secret: string) => releaseClient(test.app, { authorization: `Bearer ${secret}` });
/** Lists the tokens of a user who has just signed in, so that the time of the test does not matter. */
const list = async () =>
  TokenList.parse((await test.app.inject({ url: tokenPaths.tokens, headers: await test.bearer() })).json()).tokens;

describe('token creation', () => {
  it('shows the secret once and stores only its hash', async () => {
    const { token, secret } = await newToken({ name: ' CI ', expiresInDays: 30, _id: 'mine', scope: 'everything' });
    expect(token).toEqual({
      _id: expect.stringMatching(/^[\da-f-]{36}$/),
      name: 'CI',
      scope: 'firmware:publish',
      project: { _id: project._id, name: 'Weather' },
      createdAt: at(testStart),
      expiresAt: at(testStart + 30 * day),
      lastUsedAt: null,
    });
    expect(secret).toMatch(/^wirebench_[\w-]{43}$/);
    expect(await list()).toEqual([token]);
    expect(JSON.stringify((await owner.get(tokenPaths.tokens)).json())).not.toContain(secret.slice(10));

    const database = new DatabaseSync(join(test.dataDir, 'wirebench.sqlite'), { readOnly: true });
    const rows = database.prepare('select * from publishing_tokens').all();
    database.close();
    expect(JSON.stringify(rows)).not.toContain(secret.slice(10));
    expect(test.log.join('')).not.toContain(secret.slice(10));
  });

  it.each(['01939c00-0000-7000-8000-00000000de50', '01939c00-0000-7000-8000-000000000000', 'x', '\u0000'])(
    'accepts no project but one of the caller: %j',
    async (projectId) => {
      const answer = await owner.post(tokenPaths.tokens, { name: 'CI', projectId });
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'not-found']);
      const stranger = releaseClient(test.app, await test.bearer({ sub: 'subject-of-tinkerer' }));
      expect((await stranger.post(tokenPaths.tokens, { name: 'CI', projectId: project._id })).statusCode).toBe(404);
      expect(await list()).toEqual([]);
    },
  );

  it('sets an expiry of 90 days unless the request has another', async () => {
    expect((await newToken()).token.expiresAt).toBe(at(testStart + 90 * day));
  });

  it.each([
    [{}, 'Please enter a name for the token'],
    [{ name: ' ' }, 'Please enter a name for the token'],
    [{ name: 'CI', projectId: undefined }, 'Please choose the project that the token publishes'],
    [{ name: 'CI', projectId: '' }, 'Please choose the project that the token publishes'],
    [{ name: 'CI', projectId: 7 }, 'Please choose the project that the token publishes'],
    [{ name: 'x'.repeat(61) }, 'A name cannot exceed 60 characters'],
    [{ name: 'a\nb' }, 'A name cannot contain control characters'],
    [{ name: 'CI', expiresInDays: 0 }, 'A token lasts from 1 to 365 days'],
    [{ name: 'CI', expiresInDays: 366 }, 'A token lasts from 1 to 365 days'],
    [{ name: 'CI', expiresInDays: 1.5 }, 'A token lasts from 1 to 365 days'],
    [{ name: 'CI', expiresInDays: '30' }, 'A token lasts from 1 to 365 days'],
    [{ name: 'CI', expiresInDays: null }, 'A token lasts from 1 to 365 days'],
    [[], 'The body must be a JSON object'],
  ])('refuses %j', async (body, sentence) => {
    const given = Array.isArray(body) ? body : { projectId: project._id, ...body };
    const answer = await owner.post(tokenPaths.tokens, given);
    expect([answer.statusCode, answer.json().error]).toEqual([400, sentence]);
    expect(await list()).toEqual([]);
  });

  it('refuses the 21st token of a user', async () => {
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, number) =>
        owner.post(tokenPaths.tokens, { name: `Token ${number}`, projectId: project._id }),
      ),
    );
    const refused = answers.filter(({ statusCode }) => statusCode === 422);
    expect(refused).toHaveLength(5);
    expect(refused[0]?.json()).toMatchObject({
      error: 'You have reached the maximum limit of 20 tokens. Please delete one before creating another.',
      code: 'token-limit',
    });
    expect(await list()).toHaveLength(20);
  });
});

describe('a token', () => {
  it('publishes versions of its project in its owner’s name, and its name is in the history', async () => {
    const { token, secret } = await newToken({ name: 'Build server' });
    const ci = clientWith(secret);
    expect((await ci.projects()).map(({ _id }) => _id)).toEqual([project._id]);
    const version = await ci.newVersion(project._id);
    await owner.setProjectPublic(project._id, true);
    await ci.setVersionPublic(version._id, true);
    const { shareId } = (await ci.post(firmwarePaths.versionShare(version._id))).json();
    expect((await test.app.inject(sharedFirmwarePaths.item('version', shareId))).json().project.publisher).toBe(
      'maker',
    );
    await ci.post(firmwarePaths.versionDescription(version._id), { description: 'By the build server' });
    const { history } = History.parse((await owner.get(firmwarePaths.projectHistory(project._id))).json());
    const used = { _id: token._id, name: 'Build server' };
    expect(history.map(({ action, by, token: by2 }) => [action, by, by2])).toEqual([
      ['version-described', 'maker', used],
      ['version-published', 'maker', used],
      ['project-published', 'maker', null],
      ['version-created', 'maker', used],
      ['project-created', 'maker', null],
    ]);
    const csv = (await owner.get(`${firmwarePaths.projectHistory(project._id)}?format=csv`)).body;
    expect(csv).toContain(`,version-created,1.0.0,maker,${token._id},Build server\r\n`);
  });

  it('publishes, and neither deletes nor hides anything', async () => {
    const { secret } = await newToken();
    const ci = clientWith(secret);
    const version = await owner.newVersion(project._id);
    await owner.setProjectPublic(project._id, true);
    await owner.setVersionPublic(version._id, true);
    for (const answer of [
      await ci.post(firmwarePaths.newProject, { name: 'Another', deviceModel: 'esp32' }),
      await ci.post(firmwarePaths.projectDescription(project._id), { description: 'x' }),
      await ci.setProjectPublic(project._id, false),
      await ci.remove(firmwarePaths.project(project._id)),
      await ci.setVersionPublic(version._id, false),
      await ci.post(firmwarePaths.versionSharing(version._id)),
      await ci.remove(firmwarePaths.version(version._id)),
      await ci.post(firmwarePaths.projectShareRenewal(project._id)),
      await ci.post(firmwarePaths.versionShareRenewal(version._id)),
      await ci.post(firmwarePaths.projectShareEnd(project._id), { endsAt: null }),
      await ci.post(firmwarePaths.versionShareEnd(version._id), { endsAt: null }),
    ]) {
      expect([answer.statusCode, answer.json().code]).toEqual([403, 'token-not-allowed']);
    }
    expect(await owner.projects()).toMatchObject([{ isPublic: true, versions: [{ isPublic: true }] }]);
  });

  it('without a project acts for all of its owner’s projects, and the list says so', async () => {
    const { secret, token } = await newToken();
    const database = new DatabaseSync(join(test.dataDir, 'wirebench.sqlite'));
    database.exec('update publishing_tokens set project_id = null');
    database.close();
    expect(await list()).toEqual([{ ...token, scope: 'firmware:write', project: null }]);
    const ci = clientWith(secret);
    const made = await ci.newProject('Another');
    expect((await ci.remove(firmwarePaths.project(made._id))).statusCode).toBe(204);
  });

  it('ends with its project', async () => {
    const { secret } = await newToken();
    await owner.remove(firmwarePaths.project(project._id));
    expect(await list()).toEqual([]);
    expect((await clientWith(secret).get(firmwarePaths.projects)).statusCode).toBe(401);
  });

  it('stops when its owner has not signed in for long, and works again after a sign-in', async () => {
    const { secret } = await newToken({ expiresInDays: 365 });
    const use = async () => {
      const { statusCode, body } = await clientWith(secret).get(firmwarePaths.projects);
      return [statusCode, JSON.parse(body).code];
    };
    await test.clock.advance(90 * day);
    expect(await use()).toEqual([200, undefined]);
    await test.clock.advance(1);
    expect(await use()).toEqual([401, 'token-owner-inactive']);
    await list();
    await expect.poll(use).toEqual([200, undefined]);
  });

  it('lasts as long as the operator allows', async () => {
    await using lasting = await buildTestApp({ RATE_LIMIT_WRITES: '0', TOKEN_OWNER_ACTIVE_DAYS: '0' });
    const person = releaseClient(lasting.app, await lasting.bearer());
    const { _id: projectId } = await person.newProject();
    const { secret } = (await person.post(tokenPaths.tokens, { name: 'CI', projectId, expiresInDays: 365 })).json();
    await lasting.clock.advance(364 * day);
    const ci = releaseClient(lasting.app, { authorization: `Bearer ${secret}` });
    expect((await ci.get(firmwarePaths.projects)).statusCode).toBe(200);
  });

  it('does not give access to tokens, feedback or jkits', async () => {
    const { token, secret } = await newToken();
    const ci = clientWith(secret);
    for (const answer of [
      await ci.get(tokenPaths.tokens),
      await ci.post(tokenPaths.tokens, { name: 'Another', projectId: project._id }),
      await ci.remove(tokenPaths.token(token._id)),
      await ci.get(apiPaths.feedback),
      await ci.post(apiPaths.feedback, { email: 'x', message: 'Written by a program that must not' }),
      await ci.get('/api/jkits'),
    ]) {
      expect(answer.statusCode).toBe(401);
    }
    expect(await list()).toHaveLength(1);
  });

  it('is refused in any other header, parameter or form', async () => {
    const { secret } = await newToken();
    for (const [url, headers] of [
      [`${firmwarePaths.projects}?access_token=${secret}`, {}],
      [firmwarePaths.projects, { cookie: `token=${secret}` }],
      [firmwarePaths.projects, { authorization: `Basic ${secret}` }],
      [firmwarePaths.projects, { authorization: `Bearer ${secret.slice('wirebench_'.length)}` }],
      [firmwarePaths.projects, { authorization: `Bearer ${secret}x` }],
      [firmwarePaths.projects, { authorization: `Bearer ${secret.toUpperCase()}` }],
      [firmwarePaths.projects, { authorization: `Bearer ${secret} ${secret}` }],
    ] as const) {
      expect((await test.app.inject({ url, headers: { ...headers } })).statusCode).toBe(401);
    }
  });

  it('expires on its day', async () => {
    const { secret } = await newToken({ name: 'CI', expiresInDays: 1 });
    await test.clock.advance(day - 1);
    expect((await clientWith(secret).get(firmwarePaths.projects)).statusCode).toBe(200);
    await test.clock.advance(1);
    const answer = await clientWith(secret).get(firmwarePaths.projects);
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'Please sign in to view and manage projects']);
    expect(await list()).toHaveLength(1);
  });

  it('ends when it is deleted, by its owner alone', async () => {
    const { token, secret } = await newToken();
    const other = releaseClient(test.app, await test.bearer({ sub: 'subject-of-tinkerer' }));
    expect((await other.remove(tokenPaths.token(token._id))).statusCode).toBe(404);
    expect((await other.get(tokenPaths.tokens)).json()).toEqual({ tokens: [] });
    for (const id of ['x', '%00', '01939c00-0000-7000-8000-000000000000']) {
      expect((await owner.remove(tokenPaths.token(id))).statusCode).toBe(404);
    }
    expect((await clientWith(secret).get(firmwarePaths.projects)).statusCode).toBe(200);
    expect((await owner.remove(tokenPaths.token(token._id))).statusCode).toBe(204);
    expect((await clientWith(secret).get(firmwarePaths.projects)).statusCode).toBe(401);
    expect((await owner.remove(tokenPaths.token(token._id))).statusCode).toBe(404);
  });

  it('stores when it was last used, to the minute', async () => {
    const { secret } = await newToken();
    const use = () => clientWith(secret).get(firmwarePaths.projects);
    const lastUse = async () => (await list())[0]?.lastUsedAt;
    await use();
    expect(await lastUse()).toBe(at(testStart));
    await test.clock.advance(59_999);
    await use();
    expect(await lastUse()).toBe(at(testStart));
    await test.clock.advance(1);
    await use();
    expect(await lastUse()).toBe(at(testStart + 60_000));
  });

  it('shares the write limit of its owner', async () => {
    await using limited = await buildTestApp({ RATE_LIMIT_WRITES: '3' });
    const person = releaseClient(limited.app, await limited.bearer());
    const { _id: projectId } = await person.newProject('one');
    const { secret } = (await person.post(tokenPaths.tokens, { name: 'CI', projectId })).json();
    const ci = releaseClient(limited.app, { authorization: `Bearer ${secret}` });
    await ci.newVersion(projectId);
    for (const client of [ci, person]) {
      const answer = await client.upload(projectId, { version: '2.0.0' });
      expect([answer.statusCode, answer.json().code]).toEqual([429, 'too-many-requests']);
    }
    expect((await ci.get(firmwarePaths.projects)).statusCode).toBe(200);
  });
});

describe('a list of tokens', () => {
  it('starts with the newest', async () => {
    for (const name of ['one', 'two', 'three']) {
      await newToken({ name });
      await test.clock.advance(1_000);
    }
    expect((await list()).map(({ name }) => name)).toEqual(['three', 'two', 'one']);
  });
});
