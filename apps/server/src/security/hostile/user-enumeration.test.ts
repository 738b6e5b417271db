/** A client tries to find out which accounts exist, from the login page's answers and from the work that it causes. */
import crypto from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { signInLimits } from '../../identity/embedded/password-sign-in.ts';
import { Browser } from '../../testing/browser.ts';
import { accounts, lab, me, startServerWithAccounts } from '../../testing/local-accounts.ts';
import { authorizationRequest, postPassword } from '../../testing/sign-in.ts';
import type { TestServer } from '../../testing/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startServerWithAccounts({ TRUST_PROXY: 'loopback' });
  await accounts(server.dataDir, ['disable', 'lab']);
});

afterAll(() => server[Symbol.asyncDispose]());

let addresses = 0;

async function answerTo(username: string, password: string, address = `192.0.2.${++addresses}`) {
  const credentials = { username, password };
  const headers = { 'x-forwarded-for': address };
  const answer = await postPassword(new Browser(), authorizationRequest(server.address), credentials, headers);
  // Removes expected differences: the address of the sign-in, and the typed name.
  const page = (await answer.text()).replace(`value="${username}"`, '').replace(/login\/[\w-]+/, 'login');
  const { date: _, 'x-request-id': __, 'content-length': ___, ...rest } = Object.fromEntries(answer.headers);
  return { status: answer.status, page, headers: rest };
}

const failures: readonly [string, string, string][] = [
  ['a wrong password', me.username, 'not the password'],
  ['a disabled account', lab.username, lab.password],
  ['a disabled account and a wrong password', lab.username, 'not the password'],
  ['an account that does not exist', 'nobody', 'not the password'],
  ['a demo account', 'admin', ''],
];

describe('the existence of an account', () => {
  it.each(failures)('is not revealed by the answer to %s', async (_name, username, password) => {
    const usual = await answerTo('somebody', 'whatever it is');
    expect(usual.status).toBe(401);
    expect(await answerTo(username, password)).toEqual(usual);
  });

  it.each(failures)(
    'is not revealed by the work for %s: one check of the same cost',
    async (_name, username, password) => {
      const scrypt = vi.mocked(crypto.scrypt).mockClear();
      await answerTo(username, password);
      expect(scrypt.mock.calls.map(([, salt, length, options]) => [(salt as Buffer).length, length, options])).toEqual([
        [16, 32, { N: 32_768, r: 8, p: 3, maxmem: expect.any(Number) }],
      ]);
    },
  );

  it('is not revealed by the limit on attempts, which holds for unknown names', async () => {
    for (const username of ['nobody-at-all', me.username, lab.username]) {
      const statuses: number[] = [];
      for (let guess = 0; guess <= signInLimits.ofAccount + 5 && statuses.at(-1) !== 429; guess++) {
        statuses.push((await answerTo(username, 'not the password')).status);
      }
      expect(statuses.at(-1)).toBe(429);
    }
  });
});
