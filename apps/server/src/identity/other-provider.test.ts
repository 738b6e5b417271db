/** A complete sign-in at a provider that is neither embedded nor uses Keycloak's paths. */
import { FeedbackAnswer, PublicConfig, staticPages } from '@wirebench/contract';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseKinds } from '../testing/databases.ts';
import { type OtherProvider, startOtherProvider } from '../testing/other-provider.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

const publicUrl = 'http://localhost:4173';
/** Zitadel's claim, an object whose keys are the roles. */
const zitadelRoles = 'urn:zitadel:iam:org:project:roles';
const accounts = {
  'f81d4fae-7dec': {
    preferred_username: 'erika',
    name: 'Erika Example',
    email: 'erika@lab.example',
    realm_access: { roles: ['user'] },
  },
  '9c5b94b1-35ad': { preferred_username: 'otto', realm_access: { roles: ['bench-admin'] } },
  '0d7e2f33-c1aa': { preferred_username: 'zoe', [zitadelRoles]: { 'bench-admin': { '3200': 'lab.example' } } },
  '51c8b0d6-22ef': { preferred_username: 'zeno', [zitadelRoles]: { 'bench-user': { '3200': 'lab.example' } } },
};

let provider: OtherProvider;
let server: TestServer;

beforeAll(async () => {
  provider = await startOtherProvider(`${publicUrl}${staticPages.signInCallback}`, accounts);
  server = await startTestServer({
    PUBLIC_URL: publicUrl,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    ADMIN_ROLE: 'bench-admin',
  });
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const call = (path: string, token: string, body?: object, port = server.port) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });

const feedback = { email: 'somebody else', message: 'Signed in at a provider of our own' };

describe('a provider of another make', () => {
  it('is the provider at which the web app signs in', async () => {
    const config = PublicConfig.parse(await (await fetch(`http://127.0.0.1:${server.port}/config.json`)).json());
    expect(config.oidc).toMatchObject({ issuer: provider.issuer, clientId: provider.clientId });
  });

  it('signs in people whose tokens differ from those of Keycloak', async () => {
    const { access_token } = await provider.signIn('f81d4fae-7dec');
    expect(decodeProtectedHeader(access_token)).toMatchObject({ alg: 'RS256', kid: 'lab-2026' });
    const claims = decodeJwt(access_token);
    expect(claims).toMatchObject({ iss: provider.issuer, aud: 'account', azp: provider.clientId });
    const answer = await call('/api/feedback', access_token, feedback);
    expect(answer.status).toBe(201);
    expect(FeedbackAnswer.parse(await answer.json()).data.email).toBe('erika@lab.example');
  });

  it('grants access to feedback by its own role name', async () => {
    const [erika, otto] = [await provider.signIn('f81d4fae-7dec'), await provider.signIn('9c5b94b1-35ad')];
    expect((await call('/api/feedback', erika.access_token)).status).toBe(403);
    const answer = await call('/api/feedback', otto.access_token);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ data: [{ email: 'erika@lab.example' }] });
  });

  it.each(databaseKinds)('grants access by the keys of an object, on $name', async ({ appPlace }) => {
    await using place = await appPlace();
    await using zitadel = await startTestServer({
      ...place.environment,
      PUBLIC_URL: publicUrl,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_ROLES_CLAIM: zitadelRoles,
      ADMIN_ROLE: 'bench-admin',
    });
    const statusOf = async (account: string) => {
      const { access_token } = await provider.signIn(account);
      return (await call('/api/feedback', access_token, undefined, zitadel.port)).status;
    };
    expect(await statusOf('0d7e2f33-c1aa')).toBe(200);
    expect(await statusOf('51c8b0d6-22ef')).toBe(403);
    expect(await statusOf('9c5b94b1-35ad')).toBe(403);
  });

  it('switches off the embedded sign-in', async () => {
    expect(
      (await fetch(`http://127.0.0.1:${server.port}/realms/wirebench/.well-known/openid-configuration`)).status,
    ).toBe(404);
  });

  it('issues ID tokens that the API refuses, even without a type in them', async () => {
    const { id_token } = await provider.signIn('9c5b94b1-35ad');
    const { at_hash: _, ...claims } = decodeJwt(id_token);
    expect(claims).toMatchObject({ aud: provider.clientId });
    expect((await call('/api/feedback', id_token)).status).toBe(401);
  });

  it('can require an audience in its tokens', async () => {
    const settings = { PUBLIC_URL: publicUrl, OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: provider.clientId };
    const { access_token, id_token } = await provider.signIn('f81d4fae-7dec');
    await using right = await startTestServer({ ...settings, OIDC_AUDIENCE: provider.audience });
    expect((await call('/api/feedback', access_token, feedback, right.port)).status).toBe(201);
    expect((await call('/api/feedback', id_token, feedback, right.port)).status).toBe(401);
    await using wrong = await startTestServer({ ...settings, OIDC_AUDIENCE: 'another-api' });
    expect((await call('/api/feedback', access_token, feedback, wrong.port)).status).toBe(401);
  });

  it('is refused if its tokens are for another client', async () => {
    const { access_token } = await provider.signIn('f81d4fae-7dec');
    await using other = await startTestServer({ PUBLIC_URL: publicUrl, OIDC_ISSUER: provider.issuer });
    expect((await call('/api/feedback', access_token, feedback, other.port)).status).toBe(401);
  });
});
