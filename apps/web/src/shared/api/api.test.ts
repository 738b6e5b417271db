import { apiPaths } from '@wirebench/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SessionError } from '../session/session-errors.ts';
import { readPublic } from './api.ts';

const keeper = vi.hoisted(() => ({ tokenForCall: vi.fn(), tokenAfterRefusal: vi.fn(), end: vi.fn() }));
const store = vi.hoisted(() => ({ current: vi.fn() }));
vi.mock('../session/sign-in.ts', () => ({ sessionKeeper: async () => keeper }));
vi.mock('../session/page-session.ts', () => ({ sessionStore: store }));

const anything = { parse: (value: unknown) => value };
const config = {
  apiUrl: 'https://api.example.org',
  oidc: { issuer: 'i', url: 'u', realm: 'r', clientId: 'c' },
  latestReleaseUrl: '/',
  limits: { projects: 1, versions: 1, jkits: 1 },
};
let calls: [string, string | null][] = [];
let statuses: number[] = [];

beforeEach(() => {
  vi.resetAllMocks();
  store.current.mockReturnValue({ accessToken: 'token-0' });
  calls = [];
  statuses = [];
  vi.stubGlobal('fetch', async (input: string, init?: RequestInit) => {
    if (input === apiPaths.config) {
      return Response.json(config);
    }
    calls.push([input, new Headers(init?.headers).get('authorization')]);
    return Response.json({ n: 1 }, { status: statuses.shift() ?? 200 });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const read = () => readPublic((client) => client.request('/api/shared', anything));
const address = 'https://api.example.org/api/shared';

describe('reading what is public', () => {
  it('sends the token when one is stored, to the configured server', async () => {
    keeper.tokenForCall.mockResolvedValue('token-1');
    expect(await read()).toEqual({ n: 1 });
    expect(calls).toEqual([[address, 'Bearer token-1']]);
  });

  it('sends none when nobody is signed in, and asks nobody for one', async () => {
    store.current.mockReturnValue(null);
    await read();
    expect(calls).toEqual([[address, null]]);
    expect(keeper.tokenForCall).not.toHaveBeenCalled();
  });

  it('goes on without one when the session is over', async () => {
    keeper.tokenForCall.mockRejectedValue(new SessionError('expired'));
    expect(await read()).toEqual({ n: 1 });
    expect(calls).toEqual([[address, null]]);
  });

  it('goes on without one when the server refuses even a new one', async () => {
    keeper.tokenForCall.mockResolvedValue('token-1');
    keeper.tokenAfterRefusal.mockResolvedValue('token-2');
    statuses = [401, 401];
    expect(await read()).toEqual({ n: 1 });
    expect(calls.map(([, token]) => token)).toEqual(['Bearer token-1', 'Bearer token-2', null]);
  });

  it('fails like every call when there is nothing to read', async () => {
    keeper.tokenForCall.mockResolvedValue(null);
    statuses = [404];
    await expect(read()).rejects.toMatchObject({ status: 404 });
  });
});
