/** A client without an account begins sign-ins endlessly, or loads the provider's table in other ways. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { identityPaths, identitySettings, staticPages } from '@wirebench/contract';
import { isLong } from '@wirebench/test-input';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_OF_ADDRESS } from '../../identity/embedded/provider.ts';
import { Browser } from '../../testing/browser.ts';
import { lab, me, startServerWithAccounts } from '../../testing/local-accounts.ts';
import { authorizationRequest, requestTokens, signInWithPassword, type Tokens } from '../../testing/sign-in.ts';
import type { TestServer } from '../../testing/test-server.ts';

/** Rows of strangers that the table may have, per kind. `sqlite-adapter.test.ts` checks the exact number. */
const MAX_ANONYMOUS = 1_000;
/** Requests of a flood. In `npm test`, copies of one row fill most of the table first. */
const FLOOD = isLong ? 2_000 : 250;
const COPIES = isLong ? 0 : MAX_ANONYMOUS - FLOOD / 2;

const paths = identityPaths(identitySettings.realm);
let server: TestServer;
const somebody = new Browser();
let tokens: Tokens;

beforeAll(async () => {
  // Without the limit per address: this has to hold against many addresses too.
  server = await startServerWithAccounts({ TRUST_PROXY: 'loopback', RATE_LIMIT_READS: '0' });
  tokens = await signInWithPassword(server.address, me, somebody);
});

afterAll(() => server[Symbol.asyncDispose]());

function rows(): { count: number; bytes: number } {
  using database = new DatabaseSync(join(server.dataDir, 'identity.sqlite'), { readOnly: true });
  const row = database
    .prepare('select count(*) as count, sum(length(payload)) as bytes from entry where account_id is null')
    .get();
  return { count: Number(row?.['count']), bytes: Number(row?.['bytes']) };
}

/** Copies the newest row of a stranger, of this kind, `COPIES` times. */
function fillTable(model: 'Interaction' | 'Session'): void {
  using database = new DatabaseSync(join(server.dataDir, 'identity.sqlite'));
  database
    .prepare(
      `insert into entry (model, id, payload, grant_id, uid, expires_at)
         with recursive number (n) as (select 1 union all select n + 1 from number where n < ?2)
         select model, id || ' ' || n, payload, grant_id, uid || ' ' || n, expires_at from number, (
           select * from entry where model = ?1 and account_id is null order by expires_at desc limit 1
         ) where n <= ?2`,
    )
    .run(model, COPIES);
}

/** Sends `times` requests, fifty at once. Returns the distinct statuses. */
async function flood(times: number, ask: (number: number) => Promise<Response>): Promise<Set<number>> {
  const statuses = new Set<number>();
  let next = 0;
  const worker = async () => {
    for (let number = next++; number < times; number = next++) {
      const answer = await ask(number);
      await answer.arrayBuffer();
      statuses.add(answer.status);
    }
  };
  await Promise.all(Array.from({ length: 50 }, worker));
  return statuses;
}

const begin = (address: string, extra: Readonly<Record<string, string>> = {}) =>
  fetch(authorizationRequest(server.address, extra).url, {
    headers: { 'x-forwarded-for': address },
    redirect: 'manual',
  });

async function expectSignedInPeopleToStay(): Promise<void> {
  const { url } = authorizationRequest(server.address, { prompt: 'none' });
  const silent = await somebody.follow(url, staticPages.signInCallback);
  expect(silent.searchParams.get('code')).toBeTruthy();
  const bearer = { authorization: `Bearer ${tokens.access_token}` };
  expect((await fetch(`${server.address}/api/jkits`, { headers: bearer })).status).toBe(200);
}

describe('unlimited sign-ins', () => {
  it('displace only those of their own address', async () => {
    const browser = new Browser();
    const first = await browser.fetch(authorizationRequest(server.address).url);
    const login = new URL(first.headers.get('location') ?? '', server.address);

    expect(await flood(FLOOD, () => begin('192.0.2.1'))).toEqual(new Set([303]));
    expect(rows().count).toBeLessThanOrEqual(MAX_OF_ADDRESS + 1);
    expect((await browser.post(login, { ...lab })).status).toBe(303);
    await expectSignedInPeopleToStay();
  }, 120_000);

  it('leave at most a thousand entries, and users stay signed in', async () => {
    fillTable('Interaction');
    await flood(FLOOD, (number) => begin(`2001:db8:${(number % 500).toString(16)}::1`));
    expect(rows().count).toBeLessThanOrEqual(MAX_ANONYMOUS);
    expect(rows().bytes).toBeLessThan(2_000_000);
    await expectSignedInPeopleToStay();
    const renewed = await requestTokens(server.address, {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
    });
    expect(renewed.status).toBe(200);
  }, 120_000);

  it('are refused if they are too large, and leave nothing', async () => {
    const before = rows();
    const statuses = await flood(20, () => begin('192.0.2.2', { state: 'x'.repeat(9_000) }));
    expect([...statuses].every((status) => status >= 300 && status < 500)).toBe(true);
    expect(rows().bytes).toBeLessThanOrEqual(before.bytes);
  });
});

describe('more sign-ins in a minute than one address may begin', () => {
  it('are refused before anything is written, for any spelling of the path', async () => {
    await using limited = await startServerWithAccounts({ TRUST_PROXY: 'loopback', RATE_LIMIT_READS: '5' });
    const { url } = authorizationRequest(limited.address);
    const beginAt = (from: string, path = url.pathname) =>
      fetch(new URL(path + url.search, url), { headers: { 'x-forwarded-for': from }, redirect: 'manual' });
    for (let begun = 0; begun < 5; begun++) {
      expect((await beginAt('192.0.2.1')).status).toBe(303);
    }
    const inCapitals = url.pathname.toUpperCase().replace('/REALMS/WIREBENCH', paths.realm);
    for (const path of [url.pathname, inCapitals, `${url.pathname}/`]) {
      const answer = await beginAt('192.0.2.1', path);
      expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([429, true]);
      expect(await answer.text()).toContain('Too many sign-ins were started from this address.');
    }
    using database = new DatabaseSync(join(limited.dataDir, 'identity.sqlite'), { readOnly: true });
    expect(database.prepare(`select count(*) as count from entry where model = 'Interaction'`).get()).toEqual({
      count: 5,
    });
    expect((await beginAt('192.0.2.2')).status).toBe(303);
  });
});

describe('sign-outs without a session', () => {
  it('leave at most a thousand sessions, and users stay signed in', async () => {
    const signOut = () => fetch(`${server.address}${paths.logout}`, { redirect: 'manual' });
    await flood(1, signOut);
    fillTable('Session');
    await flood(FLOOD, signOut);
    using database = new DatabaseSync(join(server.dataDir, 'identity.sqlite'), { readOnly: true });
    const sessions = database
      .prepare(`select count(*) as count from entry where model = 'Session' and account_id is null`)
      .get();
    expect(Number(sessions?.['count'])).toBeLessThanOrEqual(MAX_ANONYMOUS);
    await expectSignedInPeopleToStay();
  }, 120_000);
});

describe('the file of the embedded provider', () => {
  it('stays small after the floods', async () => {
    expect((await stat(join(server.dataDir, 'identity.sqlite'))).size).toBeLessThan(8_000_000);
  });
});
