import { describe, expect, it, vi } from 'vitest';
import { SessionError } from '../session/session-errors.ts';
import { ApiClient, type TokenSource } from './api-client.ts';
import { ApiError } from './api-error.ts';

const anything = { parse: (value: unknown) => value };

function client(answers: (Response | Error)[], tokens: Partial<TokenSource> = {}) {
  const requests: { url: string; init: RequestInit; headers: Headers }[] = [];
  const source = {
    tokenForCall: vi.fn(async (): Promise<string | null> => 'token-1'),
    tokenAfterRefusal: vi.fn(async (_refused: string) => 'token-2'),
    end: vi.fn(),
    ...tokens,
  };
  const api = new ApiClient({
    baseUrl: 'https://api.example',
    tokens: source,
    fetch: async (url, init = {}) => {
      requests.push({ url: String(url), init, headers: new Headers(init.headers) });
      const answer = answers.shift();
      if (answer === undefined || answer instanceof Error) {
        throw answer ?? new TypeError('Failed to fetch');
      }
      return answer;
    },
  });
  return { api, requests, tokens: source };
}

const json = (body: unknown, status = 200, statusText = '') => Response.json(body, { status, statusText });

describe('API client', () => {
  it('sends the bearer token, the query without what is undefined, and a body as JSON', async () => {
    const { api, requests } = client([json({ ok: true })]);
    const query = { page: 2, email: undefined, shared: true };
    await api.request('/api/feedback', anything, { method: 'POST', query, body: { message: 'ä' } });
    expect(requests[0]?.url).toBe('https://api.example/api/feedback?page=2&shared=true');
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer token-1');
    expect(requests[0]?.headers.get('content-type')).toBe('application/json');
    expect(requests[0]?.init.body).toBe('{"message":"ä"}');
  });

  it('leaves form data and its content type to the browser', async () => {
    const { api, requests } = client([json({})]);
    const body = new FormData();
    await api.request('/api/firmware/version', anything, { method: 'POST', body });
    expect(requests[0]?.init.body).toBe(body);
    expect(requests[0]?.headers.has('content-type')).toBe(false);
  });

  it('sends no authorization without a session, and renews nothing', async () => {
    const { api, requests, tokens } = client([json({ message: 'Please sign in to send feedback' }, 401)], {
      tokenForCall: async () => null,
    });
    await expect(api.request('/api/feedback', anything)).rejects.toThrow('Please sign in to send feedback');
    expect(requests[0]?.headers.has('authorization')).toBe(false);
    expect(tokens.tokenAfterRefusal).not.toHaveBeenCalled();
    expect(tokens.end).not.toHaveBeenCalled();
  });

  it('gives the answer as its schema makes it', async () => {
    const { api } = client([json({ n: 1 })]);
    expect(await api.request('/x', { parse: (value) => [value] })).toEqual([{ n: 1 }]);
  });

  it.each([
    [json({ message: 'Said so', error: 'Other' }, 422), 'Said so'],
    [json({ error: 'Only error' }, 400), 'Only error'],
    [json({ message: '' }, 500, 'Internal Server Error'), 'HTTP 500 Internal Server Error'],
    [new Response('<h1>', { status: 502, statusText: 'Bad Gateway' }), 'HTTP 502 Bad Gateway'],
    [new Response(null, { status: 404 }), 'HTTP 404'],
  ])('turns a failed response into an error: %#', async (response, message) => {
    const { status, statusText } = response;
    const failure = await client([response])
      .api.request('/x', anything)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ message, status, statusText });
  });

  it('carries the body of a failed response', async () => {
    const body = { error: 'No', issues: [{ path: 'message', message: 'No' }] };
    await expect(client([json(body, 400)]).api.request('/x', anything)).rejects.toMatchObject({ body });
    const text = new Response('plain words', { status: 500 });
    await expect(client([text]).api.request('/x', anything)).rejects.toMatchObject({ body: 'plain words' });
  });

  it('reports that the server does not answer', async () => {
    await expect(client([]).api.request('/x', anything)).rejects.toMatchObject({
      message: 'Network error: No response from server',
      status: 0,
    });
  });

  it('throws the reason of a signal, not a network error', async () => {
    const abort = new AbortController();
    abort.abort(new Error('left the page'));
    const { api } = client([new Error('left the page')]);
    await expect(api.request('/x', anything, { signal: abort.signal })).rejects.toThrow('left the page');
  });

  it.each([new Response('no json'), json({ odd: true })])(
    'does not show people what a schema says (%#)',
    async (answer) => {
      const schema = {
        parse: (): never => {
          throw new Error('[{ "code": "invalid_type" }]');
        },
      };
      await expect(client([answer]).api.request('/x', schema)).rejects.toMatchObject({
        message: 'An unexpected error occurred',
        status: 200,
      });
    },
  );

  it.each([401, 403])('tries once more with a new token after a %i', async (status) => {
    const { api, requests, tokens } = client([json({}, status), json({ n: 2 })]);
    expect(await api.request('/x', anything, { method: 'DELETE' })).toEqual({ n: 2 });
    expect(tokens.tokenAfterRefusal).toHaveBeenCalledWith('token-1');
    expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it.each([
    ['Please sign in to access jkits', 'Please sign in to access jkits'],
    ['Please sign in to view and manage projects', 'Session expired. Please refresh the page to re-authenticate.'],
  ])('signs out and says so when even the new token is answered 401: %s', async (message, said) => {
    const { api, tokens } = client([json({}, 401), json({ message }, 401)]);
    await expect(api.request('/x', anything)).rejects.toMatchObject({ message, status: 401 });
    expect(tokens.end).toHaveBeenCalledWith('token-2', said);
  });

  it.each([
    [403, json({ message: 'No permission', error: 'No permission' }, 403)],
    [500, json({}, 500)],
    [0, new TypeError('Failed to fetch')],
  ])('says so when the second try fails with something else (%i)', async (status, second) => {
    const { api, tokens } = client([json({}, 403), second]);
    await expect(api.request('/x', anything)).rejects.toMatchObject({
      message: 'Request failed. Please try again.',
      status,
    });
    expect(tokens.end).not.toHaveBeenCalled();
  });

  it.each([
    [403, 'sharing-blocked', 'This account may not share anything: spam'],
    [403, 'feedback-access-denied', "Access denied. You don't have permission to view feedback."],
    [409, 'own-taken-down', 'This was taken down: harmful'],
    [503, 'database-unavailable', 'The database is not responding. Please try again in a moment.'],
  ])("gives the server's reason when the second try is refused with a code (%i %s)", async (status, code, message) => {
    const refused = () => json({ message, error: message, code }, status);
    const { api, requests, tokens } = client([json({ message: 'stale' }, 403), refused()]);
    await expect(api.request('/x', anything)).rejects.toMatchObject({ message, status });
    expect(requests).toHaveLength(2);
    expect(tokens.end).not.toHaveBeenCalled();
  });

  it('passes on what the renewal says', async () => {
    const { api } = client([json({}, 401)], {
      tokenAfterRefusal: async () => {
        throw new SessionError('expired');
      },
    });
    await expect(api.request('/x', anything)).rejects.toThrow(
      'Session expired. Please refresh the page to re-authenticate.',
    );
  });
});
