import { accountPaths, firmwarePaths, jkitPaths, sharedFirmwarePaths } from '@wirebench/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callApi } from '../../testing/api-user.ts';
import { type DatabasePlace, databaseKinds } from '../../testing/databases.ts';
import { releaseClient } from '../../testing/release-client.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';

let database: DatabasePlace;
let test: TestApp;

const content = '{"fields":["AT"]}';
const person = async (claims: object) => {
  const headers = await test.bearer({ sub: 'subject-of-mira', ...claims });
  return {
    headers,
    account: async () => (await callApi(test, headers, 'GET', accountPaths.account)).body.account,
    rename: (publicName: unknown) => callApi(test, headers, 'PUT', accountPaths.publicName, { publicName }),
    ...releaseClient(test.app, headers),
  };
};
const NEUTRAL = /^Maker [\dA-F]{4,}$/;

describe.each(databaseKinds)('a public name on $name', ({ appPlace }) => {
  beforeEach(async () => {
    database = await appPlace();
    test = await buildTestApp({ RATE_LIMIT_WRITES: '0', ...database.environment });
  });

  afterEach(async () => {
    await test[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  });

  it('is the user name if that may be shown', async () => {
    const mira = await person({ preferred_username: 'mira.k' });
    expect(await mira.account()).toEqual({ publicName: 'mira.k', isChosen: false, blocked: null });
  });

  it.each([
    ['an e-mail address', { preferred_username: 'mira@lab.example', name: 'Mira Keller' }],
    ['no user name but the subject', { preferred_username: undefined }],
    ['the subject', { preferred_username: 'subject-of-mira' }],
    ['a number of the provider', { preferred_username: '108204268033311374519' }],
    ['a UUID', { preferred_username: '5f1c7a9e-2b1d-4f61-9f0e-0d8a7b6c5d4e' }],
    ['a name of the system', { preferred_username: 'Admin' }],
    ['markup', { preferred_username: '<script>' }],
  ])('is neutral for a person with %s, and stays the same', async (_what, claims) => {
    const mira = await person(claims);
    const { publicName } = await mira.account();
    expect(publicName).toMatch(NEUTRAL);
    await test.clock.advance(120_000);
    expect((await (await person(claims)).account()).publicName).toBe(publicName);
    expect((await mira.newProject()).publisher).toBe(publicName);
  });

  it('goes to the first of two people with the same name', async () => {
    const first = await person({ preferred_username: 'Mira K' });
    const second = await person({ sub: 'subject-of-another', preferred_username: 'mira.k' });
    expect([(await first.account()).publicName, (await second.account()).publicName]).toEqual([
      'Mira K',
      expect.stringMatching(NEUTRAL),
    ]);
  });

  it('is the same for calls that arrive together', async () => {
    const mira = await person({ preferred_username: 'mira@lab.example' });
    const accounts = await Promise.all(Array.from({ length: 8 }, () => mira.account()));
    expect(new Set(accounts.map(({ publicName }) => publicName)).size).toBe(1);
  });

  it('changes everywhere at once: in releases, links, jkits and the search', async () => {
    const mira = await person({ preferred_username: 'mira.k' });
    const project = await mira.newProject();
    await mira.setProjectPublic(project._id, true);
    const shared = sharedFirmwarePaths.item('project', project.shareId);
    const { etag } = (await test.app.inject(shared)).headers;
    const jkit = (await callApi(test, mira.headers, 'POST', jkitPaths.jkits, { name: 'Modem', content, shared: true }))
      .body.data;

    expect(await mira.rename('  Bench\u00a0Fox ')).toMatchObject({
      status: 200,
      body: { account: { publicName: 'Bench Fox', isChosen: true, blocked: null } },
    });
    const answer = await test.app.inject({ url: shared, headers: { 'if-none-match': String(etag) } });
    expect([answer.statusCode, answer.json().project.publisher]).toEqual([200, 'Bench Fox']);
    expect((await callApi(test, {}, 'GET', jkitPaths.jkit(jkit._id))).body.data.publisher).toBe('Bench Fox');
    const find = async (q: string) =>
      (await callApi(test, mira.headers, 'GET', `${jkitPaths.search}?q=${q}`)).body.data.map(
        ({ _id }: { _id: string }) => _id,
      );
    expect([await find('fox'), await find('mira')]).toEqual([[jkit._id], []]);
    expect((await mira.newProject('Second')).publisher).toBe('Bench Fox');
    expect(
      (await callApi(test, mira.headers, 'POST', jkitPaths.jkits, { name: 'x', content })).body.data.publisher,
    ).toBe('Bench Fox');
    const updated = await callApi(test, mira.headers, 'PUT', jkitPaths.jkit(jkit._id), { name: 'Router' });
    expect(updated.body.data.publisher).toBe('Bench Fox');
    expect((await mira.get(firmwarePaths.projects)).body).not.toContain('mira.k');
  });

  it('belongs to one person in every spelling, and becomes free when it is given up', async () => {
    const mira = await person({ preferred_username: 'mira.k' });
    const other = await person({ sub: 'subject-of-other', preferred_username: 'other' });
    await other.account();
    for (const name of ['mira.k', 'MIRA K', 'Ｍｉｒａ_Ｋ']) {
      await mira.account();
      expect(await other.rename(name)).toMatchObject({ status: 409, body: { code: 'public-name-taken' } });
    }
    expect((await other.account()).publicName).toBe('other');
    await mira.rename('Bench Fox');
    expect((await other.rename('mira.k')).status).toBe(200);
    expect((await mira.rename('Mira K')).status).toBe(409);
  });

  it('goes to only one of several people who request it at once', async () => {
    const people = await Promise.all(
      ['a1', 'b2', 'c3'].map((name) => person({ sub: `subject-of-${name}`, preferred_username: name })),
    );
    await Promise.all(people.map(({ account }) => account()));
    const answers = await Promise.all(people.map(({ rename }) => rename('The One')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });

  it('is refused in a sentence, and nothing is changed', async () => {
    const mira = await person({ preferred_username: 'mira.k' });
    for (const name of ['', 'x', 'a@b.example', 'wirebench', 'Admin', '<b>', 'Maker 12AB', 7, null, 'a\u0000b']) {
      const answer = await mira.rename(name);
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid-request']);
    }
    expect((await mira.account()).publicName).toBe('mira.k');
  });
});
