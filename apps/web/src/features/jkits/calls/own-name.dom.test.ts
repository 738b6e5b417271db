import { accountPaths } from '@wirebench/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isOwnName } from '../../../shared/session/own-names.ts';
import { sessionStore } from '../../../shared/session/page-session.ts';
import { testSession } from '../../../shared/session/testing.ts';
import { serveConfig, testConfig } from '../../../shared/testing/server-config.ts';
import { learnNameOf } from './own-name.ts';

/** Answers of the server about the account, with the path of each request. */
const account = vi.fn<(path: string) => Promise<Response>>();
const named = (publicName: string) => Response.json({ account: { publicName, isChosen: true, blocked: null } });

beforeEach(() => {
  serveConfig(testConfig, account);
  sessionStore.save(testSession({ expiresAt: Date.now() + 3_600_000 }));
});
afterEach(() => {
  account.mockReset();
  sessionStore.forget();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('asks the server once for the public name of a user', async () => {
  account.mockImplementation(async () => named('gnss-hut'));
  await Promise.all([learnNameOf('mira'), learnNameOf('mira')]);
  expect(isOwnName('mira', 'gnss-hut')).toBe(true);
  await learnNameOf('mira');
  expect(account).toHaveBeenCalledExactlyOnceWith(accountPaths.account, expect.anything());
});

it('asks again after a failure', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  account.mockRejectedValueOnce(new TypeError('offline'));
  await learnNameOf('lea');
  account.mockImplementation(async () => named('lea.k'));
  await learnNameOf('lea');
  expect(isOwnName('lea', 'lea.k')).toBe(true);
});
