import { identityPaths, identitySettings, signInFontPath, staticPages } from '@wirebench/contract';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../../testing/browser.ts';
import {
  authorizationRequest,
  clickAccount,
  exchangeCode,
  requestTokens,
  signIn,
  type Tokens,
} from '../../testing/sign-in.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

const paths = identityPaths(identitySettings.realm);
let server: TestServer;
const at = (path: string) => `${server.address}${path}`;

beforeAll(async () => {
  server = await startTestServer({ LOG_LEVEL: 'trace' });
});

afterAll(() => server[Symbol.asyncDispose]());

const refresh = (token: string) => requestTokens(server.address, { grant_type: 'refresh_token', refresh_token: token });

async function submitFeedback(token: string): Promise<number> {
  const answer = await fetch(at('/api/feedback'), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'x', message: 'Twenty characters it takes' }),
  });
  return answer.status;
}

function signOutUrl(tokens: Tokens): URL {
  const url = new URL(at(paths.logout));
  url.searchParams.set('id_token_hint', tokens.id_token);
  url.searchParams.set('post_logout_redirect_uri', at(staticPages.signOutCallback));
  url.searchParams.set('state', 'bye');
  return url;
}

/** Sends the form of the sign-out page, like its button or script. */
async function confirmSignOut(browser: Browser, page: string): Promise<Response> {
  const action = /action="([^"]+)"/.exec(page)?.[1] ?? '';
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
  return browser.post(action, { xsrf, logout: 'yes' });
}

describe('sign-in at the embedded provider', () => {
  it('describes itself at the paths of Keycloak', async () => {
    const answer = await fetch(at(paths.discovery));
    expect(await answer.json()).toMatchObject({
      issuer: at('/realms/wirebench'),
      authorization_endpoint: at('/realms/wirebench/protocol/openid-connect/auth'),
      token_endpoint: at('/realms/wirebench/protocol/openid-connect/token'),
      end_session_endpoint: at('/realms/wirebench/protocol/openid-connect/logout'),
      userinfo_endpoint: at('/realms/wirebench/protocol/openid-connect/userinfo'),
      jwks_uri: at('/realms/wirebench/protocol/openid-connect/certs'),
      code_challenge_methods_supported: ['S256'],
    });
  });

  it('calls itself by its public name, whatever host a request names', async () => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${paths.discovery}`, {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    });
    expect(await answer.json()).toMatchObject({ token_endpoint: at(paths.token), jwks_uri: at(paths.certs) });
  });

  it('offers the demo accounts, one click each', async () => {
    const browser = new Browser();
    const first = await browser.fetch(authorizationRequest(server.address).url);
    const login = new URL(first.headers.get('location') ?? '', server.address);
    const page = await (await browser.fetch(login)).text();
    expect([...page.matchAll(/name="account" value="(\w+)"/g)].map(([, account]) => account)).toEqual([
      'maker',
      'tinkerer',
      'admin',
    ]);
  });

  it('gives tokens with the claims that Keycloak gives', async () => {
    const tokens = await signIn(server.address, 'admin');
    expect(decodeProtectedHeader(tokens.access_token)).toMatchObject({ alg: 'ES256', typ: 'at+jwt' });
    expect(decodeJwt(tokens.access_token)).toMatchObject({
      iss: at('/realms/wirebench'),
      sub: 'admin',
      client_id: 'wirebench-web',
      preferred_username: 'admin',
      name: 'Ada Admin',
      email: 'admin@wirebench.example',
      realm_access: { roles: ['user', 'admin'] },
    });
    expect(tokens.expires_in).toBe(300);
    expect(decodeJwt(tokens.id_token)).toMatchObject({
      aud: 'wirebench-web',
      preferred_username: 'admin',
      name: 'Ada Admin',
      email: 'admin@wirebench.example',
    });
  });

  it('signs in at the API, which accepts the access token and not the ID token', async () => {
    const tokens = await signIn(server.address, 'maker');
    expect(await submitFeedback(tokens.access_token)).toBe(201);
    expect(await submitFeedback(tokens.id_token)).toBe(401);
  });

  it('tells the owner of a token', async () => {
    const { access_token } = await signIn(server.address, 'tinkerer');
    const answer = await fetch(at(paths.userinfo), { headers: { authorization: `Bearer ${access_token}` } });
    expect(await answer.json()).toMatchObject({ sub: 'tinkerer', email: 'tinkerer@wirebench.example' });
    const refused = await fetch(at(paths.userinfo), { headers: { authorization: 'Bearer nonsense' } });
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  it('continues without a click while the session lasts, and reports when there is none', async () => {
    const browser = new Browser();
    const silent = { prompt: 'none', redirect_uri: at(staticPages.silentCheck) };
    const before = await browser.follow(authorizationRequest(server.address, silent).url, staticPages.silentCheck);
    expect(before.searchParams.get('error')).toBe('login_required');
    await signIn(server.address, 'maker', browser);
    const after = await browser.follow(authorizationRequest(server.address, silent).url, staticPages.silentCheck);
    expect(after.searchParams.get('code')).toBeTruthy();
  });

  it('can be cancelled on the login page', async () => {
    const browser = new Browser();
    const first = await browser.fetch(authorizationRequest(server.address).url);
    const login = new URL(first.headers.get('location') ?? '', server.address);
    const choice = await browser.post(login, { cancel: 'yes' });
    const callback = await browser.follow(
      new URL(choice.headers.get('location') ?? '', login),
      staticPages.signInCallback,
    );
    expect(callback.searchParams.get('error')).toBe('access_denied');
    expect(callback.searchParams.get('state')).toBe('state-of-the-test');
  });

  it('changes accounts without a detour', async () => {
    const browser = new Browser();
    await signIn(server.address, 'maker', browser);
    const request = authorizationRequest(server.address, { prompt: 'login' });
    const login = new URL((await browser.fetch(request.url)).headers.get('location') ?? '', server.address);
    const choice = await browser.post(login, { account: 'admin' });
    const resumed = await browser.fetch(new URL(choice.headers.get('location') ?? '', login));
    const ended = await confirmSignOut(browser, await resumed.text());
    const callback = await browser.follow(ended.headers.get('location') ?? '', staticPages.signInCallback);
    const tokens = await exchangeCode(server.address, callback, request.verifier);
    expect(decodeJwt(tokens.access_token).sub).toBe('admin');
  });

  it.each<[string, Record<string, string>]>([
    ['another address to return to', { redirect_uri: 'https://evil.example/sign-in-callback.html' }],
    ['a client that it does not know', { client_id: 'somebody' }],
  ])('shows an error page, and redirects nowhere, for %s', async (_name, extra) => {
    const answer = await new Browser().fetch(authorizationRequest(server.address, extra).url);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('Close this window and sign in again.');
  });

  it.each<[string, Record<string, string>]>([
    ['no code challenge', { code_challenge: '', code_challenge_method: '' }],
    ['a plain code challenge', { code_challenge_method: 'plain' }],
    ['tokens in the address', { response_type: 'token id_token', nonce: 'n' }],
  ])('gives no code for %s', async (_name, extra) => {
    const { url } = authorizationRequest(server.address, extra);
    const answer = await new Browser().fetch(url);
    const location = new URL(answer.headers.get('location') ?? '', url);
    const parameters = new URLSearchParams(location.search || location.hash.slice(1));
    expect(parameters.get('error')).toMatch(/^(invalid_request|unsupported_response_type)$/);
    expect(parameters.has('code')).toBe(false);
  });

  it('gives no tokens without the code verifier, and revokes a code that is used twice', async () => {
    const browser = new Browser();
    const request = authorizationRequest(server.address);
    const callback = await clickAccount(browser, request, 'maker');
    await expect(exchangeCode(server.address, callback, 'x'.repeat(43))).rejects.toThrow('invalid_grant');

    const again = authorizationRequest(server.address);
    const second = await browser.follow(again.url, staticPages.signInCallback);
    const tokens = await exchangeCode(server.address, second, again.verifier);
    await expect(exchangeCode(server.address, second, again.verifier)).rejects.toThrow('invalid_grant');
    expect((await refresh(tokens.refresh_token)).status).toBe(400);
  });

  it('answers an expired login with a next step', async () => {
    const answer = await new Browser().fetch(at('/realms/wirebench/login/long-gone'));
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('Close this window and sign in again.');
  });

  it('refuses a click for a login that is over', async () => {
    const answer = await new Browser().post(at('/realms/wirebench/login/long-gone'), { account: 'admin' });
    expect(answer.status).toBe(400);
  });
});

describe('renewal at the embedded provider', () => {
  it('gives a new pair of tokens, and treats a reused refresh token as stolen', async () => {
    const first = await signIn(server.address, 'maker');
    const answer = await refresh(first.refresh_token);
    const second = (await answer.json()) as Tokens;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await submitFeedback(second.access_token)).toBe(201);

    const stolen = await refresh(first.refresh_token);
    expect([stolen.status, await stolen.json()]).toEqual([400, expect.objectContaining({ error: 'invalid_grant' })]);
    expect((await refresh(second.refresh_token)).status).toBe(400);
  });

  it('survives a restart, with the session and the keys', async () => {
    const browser = new Browser();
    const before = await signIn(server.address, 'maker', browser);
    const keys = await (await fetch(at(paths.certs))).json();
    await server.restart();
    expect(await (await fetch(at(paths.certs))).json()).toEqual(keys);
    expect(await submitFeedback(before.access_token)).toBe(201);
    expect((await refresh(before.refresh_token)).status).toBe(200);
    const request = authorizationRequest(server.address, { prompt: 'none' });
    const callback = await browser.follow(request.url, staticPages.signInCallback);
    expect(callback.searchParams.get('code')).toBeTruthy();
  });
});

describe('sign-out at the embedded provider', () => {
  it('ends session and refresh tokens at once if the request has the ID token', async () => {
    const browser = new Browser();
    const tokens = await signIn(server.address, 'maker', browser);
    const page = await browser.fetch(signOutUrl(tokens));
    const html = await page.text();
    const policy = page.headers.get('content-security-policy') ?? '';
    const scripts = [...html.matchAll(/<script>([\s\S]+?)<\/script>/g)].map(([, script = '']) => script);
    expect(scripts).toHaveLength(2);
    expect(html).toContain('<h1>Signing out…</h1>');
    expect(html).toMatch(/<button [^>]* hidden>Sign out<\/button>/);
    for (const script of scripts) {
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(script));
      expect(policy).toContain(`'sha256-${Buffer.from(digest).toString('base64')}'`);
    }

    const ended = await confirmSignOut(browser, html);
    expect(ended.headers.get('location')).toBe(at(`${staticPages.signOutCallback}?state=bye`));
    expect((await refresh(tokens.refresh_token)).status).toBe(400);
    const silent = authorizationRequest(server.address, { prompt: 'none' });
    const callback = await browser.follow(silent.url, staticPages.signInCallback);
    expect(callback.searchParams.get('error')).toBe('login_required');
  });

  it('asks for confirmation without an ID token, or with that of another user', async () => {
    const browser = new Browser();
    await signIn(server.address, 'maker', browser);
    const others = await signIn(server.address, 'tinkerer');
    for (const url of [new URL(at(paths.logout)), signOutUrl(others)]) {
      const page = await (await browser.fetch(url)).text();
      expect(page).toMatch(/<button [^>]*value="yes">Sign out<\/button>/);
      expect(page).not.toContain('.click()');
    }
  });

  it('returns to the app even without a session', async () => {
    const tokens = await signIn(server.address, 'maker');
    const stranger = new Browser();
    const page = await stranger.fetch(signOutUrl(tokens));
    const ended = await confirmSignOut(stranger, await page.text());
    expect(ended.headers.get('location')).toBe(at(`${staticPages.signOutCallback}?state=bye`));
  });

  it('ends on a page that links to the app if there is no return address', async () => {
    const browser = new Browser();
    await signIn(server.address, 'maker', browser);
    const page = await browser.fetch(at(paths.logout));
    const ended = await confirmSignOut(browser, await page.text());
    const goodbye = await browser.fetch(ended.headers.get('location') ?? '');
    expect(await goodbye.text()).toContain(`<a href="${server.address}">Go to Wirebench</a>`);
  });
});

describe('pages of the embedded provider', () => {
  it('answer the login-status check with unchanged if no script intercepts it', async () => {
    const frame = await fetch(at(paths.loginStatusFrame));
    expect(await frame.text()).toContain("postMessage('unchanged'");
    expect(frame.headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
    expect((await fetch(at(`${paths.loginStatusInit}?client_id=wirebench-web`))).status).toBe(204);
  });

  it('load only font and icon of the app, run only their own scripts, and keep the opener', async () => {
    const browser = new Browser();
    const first = await browser.fetch(authorizationRequest(server.address).url);
    const login = await browser.fetch(new URL(first.headers.get('location') ?? '', server.address));
    const html = await login.text();
    expect(html).toContain(`url("${signInFontPath}")`);
    const icon = '<link rel="icon" href="/favicon.svg" type="image/svg+xml">';
    expect(html).toContain(icon);
    expect(html.replace(`url("${signInFontPath}")`, '').replace(icon, '')).not.toMatch(
      /(src|href)="https?:|<link|@import|url\(/,
    );
    expect(html).toContain("localStorage.getItem('wirebench.theme')");
    for (const answer of [first, login]) {
      expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none';.*frame-ancestors 'none'/);
      expect(answer.headers.get('content-security-policy')).not.toContain('unsafe');
      expect(answer.headers.has('cross-origin-opener-policy')).toBe(false);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('escape query parameters', async () => {
    const answer = await new Browser().fetch(
      authorizationRequest(server.address, { client_id: '"><script>alert(1)</script>' }).url,
    );
    expect(await answer.text()).not.toContain('<script>alert');
  });

  it('leave no token, cookie or login id in the log', async () => {
    const tokens = await signIn(server.address, 'maker');
    await refresh(tokens.refresh_token);
    const log = server.log.join('');
    expect(log).toContain('/realms/wirebench/login/:interaction');
    for (const secret of [tokens.access_token, tokens.refresh_token, 'wirebench_session=', 'maker@wirebench.example']) {
      expect(log).not.toContain(secret);
    }
  });
});
