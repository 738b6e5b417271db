/** Sign-in with a name and a password, and changes by `npm run accounts` while the server runs. */
import { identityPaths, identitySettings, staticPages } from '@wirebench/contract';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../../testing/browser.ts';
import { accounts, lab, me, startServerWithAccounts } from '../../testing/local-accounts.ts';
import {
  authorizationRequest,
  postPassword,
  requestTokens,
  signIn,
  signInWithPassword,
} from '../../testing/sign-in.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

const paths = identityPaths(identitySettings.realm);
let server: TestServer;

beforeAll(async () => {
  server = await startServerWithAccounts();
});

afterAll(() => server[Symbol.asyncDispose]());

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const readFeedback = async (token: string) => (await fetch(`${server.address}/api/feedback`, bearer(token))).status;
const readJkits = async (token: string) => (await fetch(`${server.address}/api/jkits`, bearer(token))).status;
const refresh = async (token: string) =>
  (await requestTokens(server.address, { grant_type: 'refresh_token', refresh_token: token })).status;

async function loginPage(): Promise<string> {
  const browser = new Browser();
  const first = await browser.fetch(authorizationRequest(server.address).url);
  return (await browser.fetch(new URL(first.headers.get('location') ?? '', server.address))).text();
}

describe('the login page of accounts of our own', () => {
  it('asks for a name and a password with the attributes that password managers use', async () => {
    const page = await loginPage();
    expect(page).toMatch(
      /<label for="username">[\s\S]*<input id="username" name="username"[^>]* autocomplete="username"/,
    );
    expect(page).toMatch(/<input id="password" name="password" type="password"[^>]* autocomplete="current-password"/);
    expect(page).toMatch(/<form method="post"/);
    expect(page).not.toMatch(/demo account|tinkerer|name="account"/);
  });

  it('works without scripts, and says in words that a sign-in failed, keeping the name', async () => {
    const answer = await postPassword(new Browser(), authorizationRequest(server.address), {
      username: 'me"><script>',
      password: 'wrong',
    });
    expect(answer.status).toBe(401);
    const page = await answer.text();
    expect(page).toContain('role="alert">The name or the password is wrong.</p>');
    expect(page).toContain('value="me&quot;&gt;&lt;script&gt;"');
    expect(page.match(/aria-describedby="failure"/g)).toHaveLength(2);
    // The script of the theme, which the policy names.
    expect(page.match(/<script/g)).toHaveLength(1);
  });

  it('can be cancelled', async () => {
    const browser = new Browser();
    const first = await browser.fetch(authorizationRequest(server.address).url);
    const login = new URL(first.headers.get('location') ?? '', server.address);
    const choice = await browser.post(login, { username: '', password: '', cancel: 'yes' });
    const next = new URL(choice.headers.get('location') ?? '', login);
    const callback = await browser.follow(next, staticPages.signInCallback);
    expect(callback.searchParams.get('error')).toBe('access_denied');
  });
});

describe('an account of our own', () => {
  it('signs in with its name in any case, and has a unique subject', async () => {
    const tokens = await signInWithPassword(server.address, { ...me, username: 'ME' });
    const claims = decodeJwt(tokens.access_token);
    expect(claims).toMatchObject({ preferred_username: 'me', realm_access: { roles: ['user', 'admin'] } });
    expect(claims.sub).toMatch(/^[\da-f]{8}-/);
    expect(await readFeedback(tokens.access_token)).toBe(200);
    const answer = await fetch(`${server.address}${paths.userinfo}`, bearer(tokens.access_token));
    expect(await answer.json()).toMatchObject({ sub: claims.sub, preferred_username: 'me' });
  });

  it('has the rights of its current role in each call', async () => {
    const { access_token } = await signInWithPassword(server.address, lab);
    expect(await readFeedback(access_token)).toBe(403);
    await accounts(server.dataDir, ['role', 'lab', 'admin']);
    expect(await readFeedback(access_token)).toBe(200);
    await accounts(server.dataDir, ['role', 'lab', 'user']);
    expect(await readFeedback(access_token)).toBe(403);
  });

  it('loses its token, renewal, session and password at once when it is disabled', async () => {
    const browser = new Browser();
    const tokens = await signInWithPassword(server.address, lab, browser);
    await accounts(server.dataDir, ['disable', 'lab']);
    expect(await readJkits(tokens.access_token)).toBe(401);
    expect(await refresh(tokens.refresh_token)).toBe(400);
    const { url } = authorizationRequest(server.address, { prompt: 'none' });
    const silent = await browser.follow(url, staticPages.signInCallback);
    expect(silent.searchParams.get('error')).toBe('login_required');
    expect((await postPassword(new Browser(), authorizationRequest(server.address), lab)).status).toBe(401);

    await accounts(server.dataDir, ['enable', 'lab']);
    expect(await readJkits(tokens.access_token)).toBe(401);
    expect(await readJkits((await signInWithPassword(server.address, lab)).access_token)).toBe(200);
  });

  it('is signed out everywhere when its password changes, and others stay signed in', async () => {
    const [browser, other] = [new Browser(), new Browser()];
    const tokens = await signInWithPassword(server.address, lab, browser);
    const others = await signInWithPassword(server.address, me, other);
    const password = 'another one by the door';
    await accounts(server.dataDir, ['passwd', 'lab'], password);
    expect([await readJkits(tokens.access_token), await refresh(tokens.refresh_token)]).toEqual([401, 400]);
    expect([await readJkits(others.access_token), await refresh(others.refresh_token)]).toEqual([200, 200]);
    const { url } = authorizationRequest(server.address, { prompt: 'none' });
    const silent = await browser.follow(url, staticPages.signInCallback);
    expect(silent.searchParams.get('error')).toBe('login_required');
    expect((await postPassword(new Browser(), authorizationRequest(server.address), lab)).status).toBe(401);
    const again = await signInWithPassword(server.address, { username: 'lab', password });
    expect(await readJkits(again.access_token)).toBe(200);
    await accounts(server.dataDir, ['passwd', 'lab'], lab.password);
  });

  it('loses its access token when it signs out', async () => {
    const browser = new Browser();
    const tokens = await signInWithPassword(server.address, me, browser);
    const page = await (await browser.fetch(`${server.address}${paths.logout}`)).text();
    const action = /action="([^"]+)"/.exec(page)?.[1] ?? '';
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
    await browser.post(action, { xsrf, logout: 'yes' });
    expect(await readJkits(tokens.access_token)).toBe(401);
  });

  it('survives a restart together with its session', async () => {
    const { access_token } = await signInWithPassword(server.address, me);
    await server.restart();
    expect(await readJkits(access_token)).toBe(200);
    expect(await readJkits((await signInWithPassword(server.address, me)).access_token)).toBe(200);
  });
});

describe('the first account', () => {
  it('removes the demo accounts of a running server: their page, tokens and sessions', async () => {
    await using demo = await startTestServer();
    const [browser, undecided] = [new Browser(), new Browser()];
    const tokens = await signIn(demo.address, 'admin', browser);
    const first = await undecided.fetch(authorizationRequest(demo.address).url);
    const login = new URL(first.headers.get('location') ?? '', demo.address);

    expect(await accounts(demo.dataDir, ['add', 'me', '--admin'], me.password)).toEqual([
      'me may sign in and is an administrator.',
      'The demo accounts are removed, and their users are signed out.',
    ]);
    const read = (token: string) => fetch(`${demo.address}/api/feedback`, bearer(token));
    expect((await read(tokens.access_token)).status).toBe(401);
    const renewal = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    expect((await requestTokens(demo.address, renewal)).status).toBe(400);
    expect((await fetch(`${demo.address}${paths.userinfo}`, bearer(tokens.access_token))).status).toBe(401);
    const { url } = authorizationRequest(demo.address, { prompt: 'none' });
    const silent = await browser.follow(url, staticPages.signInCallback);
    expect(silent.searchParams.get('error')).toBe('login_required');
    // The page that was opened before the change still has the buttons.
    const choice = await undecided.post(login, { account: 'admin' });
    expect([choice.status, choice.headers.get('location')]).toEqual([401, null]);
    expect((await read((await signInWithPassword(demo.address, me)).access_token)).status).toBe(200);
  });

  it('may have the name of a demo account without its data', async () => {
    await using demo = await startTestServer();
    const before = await signIn(demo.address, 'maker');
    await accounts(demo.dataDir, ['add', 'maker'], me.password);
    const after = await signInWithPassword(demo.address, { ...me, username: 'maker' });
    expect(decodeJwt(after.access_token).sub).not.toBe(decodeJwt(before.access_token).sub);
    await accounts(demo.dataDir, ['disable', 'maker']);
    // A disabled account still keeps the demo accounts away.
    await expect(signIn(demo.address, 'maker')).rejects.toThrow();
  });
});
