import { describe, expect, it } from 'vitest';
import { refreshSession } from './refresh-grant.ts';
import { START, testSession, testToken } from './testing.ts';

const issuer = 'https://id.example/realms/wirebench';
const discovery = { token_endpoint: 'https://id.example/token' };

/** A provider that returns the answers in order. Its requests are recorded. */
function provider(...answers: (Response | Error)[]) {
  const requests: { url: string; init: RequestInit | undefined }[] = [];
  const fetcher: typeof fetch = async (input, init) => {
    requests.push({ url: String(input), init });
    const answer = answers.shift();
    if (answer === undefined || answer instanceof Error) {
      throw answer ?? new TypeError('Failed to fetch');
    }
    return answer;
  };
  return { requests, options: { issuer, clientId: 'wirebench-web', fetch: fetcher, now: () => START } };
}

const idToken = (sub: string) => testToken({ sub, preferred_username: 'mira.k' });

describe('refresh grant', () => {
  it('asks the token endpoint as a public client and takes over the rotated tokens', async () => {
    const { requests, options } = provider(
      Response.json(discovery),
      Response.json({ access_token: 'access-2', refresh_token: 'refresh-2', expires_in: 300 }),
    );
    const outcome = await refreshSession(testSession(), options);
    expect(outcome).toEqual({
      kind: 'renewed',
      session: testSession({ accessToken: 'access-2', refreshToken: 'refresh-2', expiresAt: START + 300_000 }),
    });
    expect(requests.map(({ url }) => url)).toEqual([
      `${issuer}/.well-known/openid-configuration`,
      'https://id.example/token',
    ]);
    expect(String(requests[1]?.init?.body)).toBe(
      'grant_type=refresh_token&client_id=wirebench-web&refresh_token=refresh-1',
    );
  });

  it('keeps the refresh token of a provider that does not rotate', async () => {
    const { options } = provider(Response.json(discovery), Response.json({ access_token: 'a', expires_in: 60 }));
    expect(await refreshSession(testSession(), options)).toMatchObject({ session: { refreshToken: 'refresh-1' } });
  });

  it('takes no token of another person', async () => {
    const { options } = provider(
      Response.json(discovery),
      Response.json({ access_token: 'a', expires_in: 60, id_token: idToken('other') }),
    );
    const session = testSession({ idToken: idToken('mira') });
    expect(await refreshSession(session, options)).toEqual({ kind: 'unusable' });
  });

  it('reports status and error code of a refusal', async () => {
    const { options } = provider(Response.json(discovery), Response.json({ error: 'invalid_grant' }, { status: 400 }));
    expect(await refreshSession(testSession(), options)).toEqual({
      kind: 'refused',
      status: 400,
      error: 'invalid_grant',
    });
  });

  it('counts an answer without JSON as an answer', async () => {
    const { options } = provider(new Response('<h1>Bad gateway</h1>', { status: 502 }));
    expect(await refreshSession(testSession(), options)).toEqual({ kind: 'refused', status: 502, error: null });
  });

  it.each([
    ['the network is down', new TypeError('Failed to fetch')],
    ['the provider takes too long', new DOMException('Timed out', 'TimeoutError')],
  ])('knows no answer when %s', async (_when, error) => {
    expect(await refreshSession(testSession(), provider(error).options)).toEqual({ kind: 'no-answer' });
    const { options } = provider(Response.json(discovery), error);
    expect(await refreshSession(testSession(), options)).toEqual({ kind: 'no-answer' });
  });

  it.each([{}, { access_token: 'a' }, { access_token: '', expires_in: 60 }])('cannot use %j', async (body) => {
    const { options } = provider(Response.json(discovery), Response.json(body));
    expect(await refreshSession(testSession(), options)).toEqual({ kind: 'unusable' });
  });

  it('is refused without a refresh token and without a request', async () => {
    const { options, requests } = provider();
    const outcome = await refreshSession(testSession({ refreshToken: null }), options);
    expect(outcome).toEqual({ kind: 'refused', status: 400, error: 'invalid_grant' });
    expect(requests).toEqual([]);
  });
});
