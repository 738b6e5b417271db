/** A client sends the API an ID token. It tells the client about its user and permits no calls. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signIn } from '../../testing/sign-in.ts';
import { buildTestApp, type TestApp } from '../../testing/test-app.ts';
import { startTestServer } from '../../testing/test-server.ts';
import type { Claims } from '../../testing/token-issuer.ts';

/** Claims of OpenID Connect Core, section 2: addressed to the client, about a sign-in, without permissions. */
const idToken: Claims = { aud: 'wirebench-web', azp: undefined, auth_time: 1_800_000_000, nonce: 'n-0S6_WzA2Mj' };

describe.each([
  ['without a configured audience', {}],
  ['with the client for the audience', { OIDC_AUDIENCE: 'wirebench-web' }],
])('an ID token, %s', (_name, environment) => {
  let test: TestApp;

  beforeAll(async () => {
    test = await buildTestApp(environment);
  });

  afterAll(() => test[Symbol.asyncDispose]());

  const ask = async (claims: Claims, header: { typ?: string } = {}) => {
    const now = Math.floor(test.clock.now() / 1_000);
    const token = await test.issuer.sign(
      { iss: test.issuer.issuer, sub: 'me', iat: now, exp: now + 300, ...claims },
      header,
    );
    const answer = await test.app.inject({ url: '/api/jkits', headers: { authorization: `Bearer ${token}` } });
    return answer.statusCode;
  };

  it.each<[string, Claims]>([
    ['without at_hash', {}],
    ['with at_hash', { at_hash: 'MTIzNDU2Nzg5MDEyMzQ1Ng' }],
    ['with c_hash', { c_hash: 'MTIzNDU2Nzg5MDEyMzQ1Ng' }],
    ['without a nonce', { nonce: undefined }],
    ['in a list of audiences', { aud: ['wirebench-web'] }],
    ['for several clients, of which we asked', { aud: ['wirebench-web', 'other'], azp: 'wirebench-web' }],
    ["of Keycloak's", { typ: 'ID', azp: 'wirebench-web' }],
    ["of Cognito's", { token_use: 'id' }],
    ['with roles', { realm_access: { roles: ['admin'] } }],
    ['that is a logout token', { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }],
  ])('%s is refused', async (_case, claims) => {
    expect(await ask({ ...idToken, ...claims })).toBe(401);
  });

  it.each<[string, Claims, { typ?: string }]>([
    ['of the type of RFC 9068', {}, { typ: 'at+jwt' }],
    ["of Keycloak's type", { typ: 'Bearer' }, {}],
    ['that says what it allows', { scope: 'openid profile' }, {}],
    ['that says for which client it is', { client_id: 'wirebench-web' }, {}],
  ])('is not what an access token is, %s, also when it is addressed to the client', async (_case, claims, header) => {
    expect(await ask({ aud: 'wirebench-web', ...claims }, header)).toBe(200);
  });
});

describe("the embedded provider's ID token", () => {
  it('is refused', async () => {
    await using server = await startTestServer();
    const { access_token, id_token } = await signIn(server.address, 'maker');
    const ask = async (token: string) =>
      (await fetch(`${server.address}/api/jkits`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect([await ask(access_token), await ask(id_token)]).toEqual([200, 401]);
  });
});
