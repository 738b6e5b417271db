/** A client asks the embedded provider for a token that another server would accept (RFC 8707). */
import { staticPages } from '@wirebench/contract';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../../testing/browser.ts';
import { authorizationRequest, clickAccount, requestTokens, signIn, type Tokens } from '../../testing/sign-in.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server[Symbol.asyncDispose]());

const foreign = () => [
  'https://bank.example/api',
  'urn:other:api',
  `${server.address}/api/`,
  `${server.address}/API`,
  `${server.address}/api?x=1`,
  server.address,
];

const errorOf = async (answer: Response) => ((await answer.json()) as { error?: string }).error;

describe('a foreign resource', () => {
  it('is refused where a sign-in begins, before anybody is asked', async () => {
    for (const resource of foreign()) {
      const { url } = authorizationRequest(server.address, { resource });
      const answer = await new Browser().fetch(url);
      const back = new URL(answer.headers.get('location') ?? '', url);
      expect([resource, back.pathname]).toEqual([resource, staticPages.signInCallback]);
      expect([resource, back.searchParams.get('error')]).toEqual([resource, 'invalid_target']);
    }
  });

  it('beside our own is refused as well', async () => {
    const { url } = authorizationRequest(server.address, { resource: `${server.address}/api` });
    url.searchParams.append('resource', 'https://bank.example/api');
    const answer = await new Browser().fetch(url);
    expect(new URL(answer.headers.get('location') ?? '', url).searchParams.get('error')).toBe('invalid_target');
  });

  it('is refused where a code or a refresh token is exchanged', async () => {
    for (const resource of foreign()) {
      const request = authorizationRequest(server.address);
      const callback = await clickAccount(new Browser(), request, 'maker');
      const exchange = await requestTokens(server.address, {
        grant_type: 'authorization_code',
        code: callback.searchParams.get('code') ?? '',
        redirect_uri: `${server.address}${staticPages.signInCallback}`,
        code_verifier: request.verifier,
        resource,
      });
      expect([resource, exchange.status, await errorOf(exchange)]).toEqual([resource, 400, 'invalid_target']);

      const { refresh_token } = await signIn(server.address, 'maker');
      const renewal = await requestTokens(server.address, { grant_type: 'refresh_token', refresh_token, resource });
      expect([resource, renewal.status, await errorOf(renewal)]).toEqual([resource, 400, 'invalid_target']);
    }
  });

  it('is what only our own API is not', async () => {
    const request = authorizationRequest(server.address, { resource: `${server.address}/api` });
    const callback = await clickAccount(new Browser(), request, 'maker');
    const answer = await requestTokens(server.address, {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: `${server.address}${staticPages.signInCallback}`,
      code_verifier: request.verifier,
      resource: `${server.address}/api`,
    });
    const { access_token } = (await answer.json()) as Tokens;
    expect(decodeJwt(access_token).aud).toBe(`${server.address}/api`);
  });
});
