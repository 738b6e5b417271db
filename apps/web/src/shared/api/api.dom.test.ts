import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pageKeeper } from '../session/page-keeper.ts';
import { sessionStore } from '../session/page-session.ts';
import { SessionError } from '../session/session-errors.ts';
import { testSession } from '../session/testing.ts';
import { serveConfig, testConfig } from '../testing/server-config.ts';
import { readPublic } from './api.ts';

const keeper = {
  tokenForCall: vi.spyOn(pageKeeper, 'tokenForCall'),
  tokenAfterRefusal: vi.spyOn(pageKeeper, 'tokenAfterRefusal'),
};

const anything = { parse: (value: unknown) => value };
let calls: [string, string | null][] = [];
let statuses: number[] = [];

beforeEach(() => {
  vi.resetAllMocks();
  sessionStore.save(testSession());
  calls = [];
  statuses = [];
  serveConfig({ ...testConfig, apiUrl: 'https://api.example.org' }, async (input, init) => {
    calls.push([input, new Headers(init?.headers).get('authorization')]);
    return Response.json({ n: 1 }, { status: statuses.shift() ?? 200 });
  });
});
afterEach(() => {
  sessionStore.forget();
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

  it('sends no token without a session, and requests none', async () => {
    sessionStore.forget();
    await read();
    expect(calls).toEqual([[address, null]]);
    expect(keeper.tokenForCall).not.toHaveBeenCalled();
  });

  it('continues without a token when the session is over', async () => {
    keeper.tokenForCall.mockRejectedValue(new SessionError('expired'));
    expect(await read()).toEqual({ n: 1 });
    expect(calls).toEqual([[address, null]]);
  });

  it('continues without a token when the server refuses even a new one', async () => {
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
