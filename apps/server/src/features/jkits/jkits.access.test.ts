/** Access to the jkit calls. Access to individual jkits is tested in `jkits.routes.test.ts`. */
import { JkitAnswer, jkitPaths } from '@wirebench/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callApi, newApiUser } from '../../testing/api-user.ts';
import { buildTestApp, type TestApp, testStart } from '../../testing/test-app.ts';
import { startTokenIssuer, type TokenIssuer } from '../../testing/token-issuer.ts';
import { demoBoard } from './library/demo-board.ts';

const content = '{"fields":["AT"]}';
const nowhere = '01990000-0000-7000-8000-000000000000';
const signIn = 'Please sign in to access jkits';

type Headers = Readonly<Record<string, string>>;

let test: TestApp;
let impostor: TokenIssuer;

beforeAll(async () => {
  test = await buildTestApp({ RATE_LIMIT_WRITES: '0' });
  impostor = await startTokenIssuer();
});

afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await impostor[Symbol.asyncDispose]();
});

describe('access to jkits', () => {
  const everyCall = async (headers: Headers) => [
    await callApi(test, headers, 'GET', jkitPaths.jkits),
    await callApi(test, headers, 'POST', jkitPaths.jkits, { name: 'x', content }),
    await callApi(test, headers, 'GET', `${jkitPaths.search}?q=at`),
    await callApi(test, headers, 'GET', jkitPaths.starred),
    await callApi(test, headers, 'PUT', jkitPaths.jkit(nowhere), { name: 'x' }),
    await callApi(test, headers, 'DELETE', jkitPaths.jkit(nowhere)),
    await callApi(test, headers, 'GET', jkitPaths.isStarred(nowhere)),
    await callApi(test, headers, 'POST', jkitPaths.star(nowhere)),
    await callApi(test, headers, 'DELETE', jkitPaths.star(nowhere)),
    await callApi(test, headers, 'POST', jkitPaths.rating(nowhere), { stars: 1 }),
    await callApi(test, headers, 'GET', jkitPaths.rating(nowhere)),
  ];
  const refused = { error: signIn, message: signIn, code: 'jkits-sign-in-required' };

  it('requires a sign-in for every call except opening a link', async () => {
    for (const answer of await everyCall({})) {
      expect(answer).toMatchObject({ status: 401, body: refused, headers: { 'www-authenticate': 'Bearer' } });
    }
    expect((await callApi(test, {}, 'GET', jkitPaths.jkit(nowhere))).status).toBe(404);
  });

  it.each<[string, () => Promise<string>]>([
    ['an expired', () => test.token({ exp: testStart / 1_000 - 31 })],
    [
      'a forged',
      () => impostor.sign({ iss: test.issuer.issuer, azp: 'wirebench-web', exp: testStart / 1_000 + 300, sub: 'x' }),
    ],
    ["another client's", () => test.token({ azp: 'another-client' })],
    ['a made-up', async () => 'nonsense'],
  ])('with %s token is asked to sign in, at a link too, because it can be renewed', async (_name, token) => {
    const headers = { authorization: `Bearer ${await token()}` };
    const maker = await newApiUser(test);
    const draft = { name: 'Shared', content, shared: true };
    const { _id } = JkitAnswer.parse((await maker.post(jkitPaths.jkits, draft)).body).data;
    for (const answer of [...(await everyCall(headers)), await callApi(test, headers, 'GET', jkitPaths.jkit(_id))]) {
      expect(answer).toMatchObject({ status: 401, body: refused });
    }
  });

  it('requires no role', async () => {
    const headers = await test.bearer({ sub: 'subject-without-roles', realm_access: { roles: [] } });
    expect((await callApi(test, headers, 'GET', jkitPaths.jkits)).status).toBe(200);
  });
});

describe('a jkit of the product', () => {
  const id = demoBoard.id;

  it('opens by its link without a token, and is found, starred and rated like any other', async () => {
    expect((await callApi(test, {}, 'GET', jkitPaths.jkit(id))).body).toMatchObject({
      data: { name: demoBoard.name, publisher: 'wirebench', shared: true },
    });
    const headers = await test.bearer({ sub: 'subject-of-reader', preferred_username: 'reader' });
    const found = await callApi(test, headers, 'GET', `${jkitPaths.search}?q=demo&type=uart&shared=true`);
    expect(found.body).toMatchObject({ data: [{ _id: id }] });
    expect((await callApi(test, headers, 'POST', jkitPaths.star(id))).status).toBe(200);
    const rated = await callApi(test, headers, 'POST', jkitPaths.rating(id), { stars: 5 });
    expect(rated.body).toMatchObject({ data: { rating: 5, ratingCount: 1 } });
  });

  it('is changed by no user, even one who is called wirebench, and takes no slot', async () => {
    const headers = await test.bearer({ sub: 'wirebench', preferred_username: 'wirebench' });
    for (const method of ['PUT', 'DELETE'] as const) {
      const answer = await callApi(
        test,
        headers,
        method,
        jkitPaths.jkit(id),
        method === 'PUT' ? { name: 'x' } : undefined,
      );
      expect(answer).toMatchObject({
        status: 403,
        body: { error: 'You can only save your own JKits. This JKit belongs to wirebench.', code: 'jkit-not-yours' },
      });
    }
    expect((await callApi(test, headers, 'GET', jkitPaths.jkits)).body).toMatchObject({ pagination: { total: 0 } });
  });
});

describe('limit on writes', () => {
  it('counts saving, stars and ratings together, and no reading', async () => {
    await using limited = await buildTestApp({ RATE_LIMIT_WRITES: '3' });
    const headers = await limited.bearer();
    const send = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) => {
      const body = payload === undefined ? {} : { payload };
      return (await limited.app.inject({ method, url, headers, ...body })).statusCode;
    };
    expect([
      await send('POST', jkitPaths.jkits, { name: 'x', content }),
      await send('POST', jkitPaths.star(nowhere)),
      await send('POST', jkitPaths.rating(nowhere), { stars: 1 }),
      await send('PUT', jkitPaths.jkit(nowhere), {}),
      await send('DELETE', jkitPaths.star(nowhere)),
    ]).toEqual([201, 404, 404, 429, 429]);
    expect([await send('GET', jkitPaths.jkits), await send('GET', `${jkitPaths.search}?q=a`)]).toEqual([200, 200]);
  });
});
