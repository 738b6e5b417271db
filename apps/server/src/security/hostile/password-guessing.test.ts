/** A client guesses passwords: of one account, of many, from many addresses, simultaneously. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signInLimits } from '../../identity/embedded/password-sign-in.ts';
import { Browser } from '../../testing/browser.ts';
import { accounts, lab, startServerWithAccounts } from '../../testing/local-accounts.ts';
import { authorizationRequest, type Credentials, postPassword, signInWithPassword } from '../../testing/sign-in.ts';
import type { TestServer } from '../../testing/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  // A trusted proxy, so that the tests can come from any address.
  server = await startServerWithAccounts({ TRUST_PROXY: 'loopback' });
});

afterAll(() => server[Symbol.asyncDispose]());

let created = 0;

/** Creates an account for a test, because guesses count for a quarter of an hour. */
async function newAccount(): Promise<Credentials> {
  const account = { username: `owner${++created}`, password: `password of owner ${created}` };
  await accounts(server.dataDir, ['add', account.username], account.password);
  return account;
}

const attempt = (credentials: Credentials, address: string) =>
  postPassword(new Browser(), authorizationRequest(server.address), credentials, { 'x-forwarded-for': address });

const guesses = (count: number, username: string, addressOf: (guess: number) => string) =>
  Promise.all(
    Array.from({ length: count }, (_, guess) => attempt({ username, password: `guess ${guess}` }, addressOf(guess))),
  );

const countOf = (answers: readonly Response[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

describe('guessing the password of one account', () => {
  it('ends after a few guesses, also from many addresses at the same moment', async () => {
    const me = await newAccount();
    const answers = await guesses(signInLimits.ofAccount + 10, me.username, (guess) => `2001:db8:${guess}::1`);
    expect(countOf(answers, 401)).toBeLessThanOrEqual(signInLimits.ofAccount);
    expect(countOf(answers, 401) + countOf(answers, 429)).toBe(answers.length);

    // Not even the correct password is accepted then, or the answer would reveal it.
    const right = await attempt(me, '198.51.100.7');
    expect(right.status).toBe(429);
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await right.text()).toContain('Too many attempts');
  });

  it('does not block the sign-in of other accounts', async () => {
    const { username } = await newAccount();
    await guesses(signInLimits.ofAccount, username, (guess) => `2001:db8:${guess}::1`);
    await expect(signInWithPassword(server.address, lab)).resolves.toBeDefined();
  });

  it('does not lock out its owner at an address where they have signed in before', async () => {
    const me = await newAccount();
    await signInWithPassword(server.address, me);
    await guesses(signInLimits.ofAccount + 1, me.username, (guess) => `2001:db8:${guess}::1`);
    expect((await attempt(me, '198.51.100.7')).status).toBe(429);
    await expect(signInWithPassword(server.address, me)).resolves.toBeDefined();
  });

  it('is counted together for every case and Unicode form of the name', async () => {
    const { username: name } = await newAccount();
    const names = [name, name.toUpperCase(), name.replace('owner', 'oWNeR'), name.replace('owner', 'ｏｗｎｅｒ')];
    for (let guess = 0; guess < signInLimits.ofAccount; guess++) {
      const username = names[guess % names.length] ?? '';
      expect((await attempt({ username, password: 'guess' }, `2001:db8:${guess}::1`)).status).toBe(401);
    }
    expect(
      (await attempt({ username: name.replace('owner', 'Owner'), password: 'guess' }, '198.51.100.7')).status,
    ).toBe(429);
  });
});

describe('guessing one password for many accounts', () => {
  it('ends for an address and for its whole IPv6 network', async () => {
    const me = await newAccount();
    for (let guess = 0; guess < signInLimits.ofAddress; guess++) {
      const address = `2001:db8:0:7::${guess.toString(16)}`;
      expect((await attempt({ username: `account${guess}`, password: 'guess' }, address)).status).toBe(401);
    }
    expect((await attempt(me, '2001:db8:0:7:ffff::1')).status).toBe(429);
    // The neighbouring network belongs to another customer.
    expect((await attempt(me, '2001:db8:0:8::1')).status).toBe(303);
  }, 60_000);

  it('is not reset by signing in to the guesser’s own account', async () => {
    const { username } = await newAccount();
    const address = '192.0.2.9';
    const answers: number[] = [];
    for (let guess = 0; guess <= signInLimits.ofAccount; guess++) {
      answers.push((await attempt({ username, password: `guess ${guess}` }, address)).status);
      expect((await attempt(lab, address)).status).toBe(303);
    }
    expect(answers.slice(0, -1).every((status) => status === 401)).toBe(true);
    expect(answers.at(-1)).toBe(429);
  });
});
