/**
 * The README's way from a demo on one machine to a server for a lab: an own account, https, network access, and no
 * demo accounts left.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { AccountList, identityPaths, identitySettings, moderationPaths, staticPages } from '@wirebench/contract';
import { isLong } from '@wirebench/test-input';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import type { Environment } from './config.ts';
import { checkSettings } from './start-server.ts';
import { Browser } from './testing/browser.ts';
import { makeCertificate, trust, writeCertificate } from './testing/certificate.ts';
import { childEnvironment } from './testing/child-environment.ts';
import { freePort } from './testing/free-port.ts';
import { accounts, lab, me, startServerWithAccounts } from './testing/local-accounts.ts';
import { startServerProcess } from './testing/server-process.ts';
import { authorizationRequest, requestTokens, signIn, signInWithPassword } from './testing/sign-in.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const paths = identityPaths(identitySettings.realm);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const cli = join(root, 'apps', 'server', 'src', 'cli.ts');

/** Runs `npm run accounts -- …` with the password on its standard input. */
async function runAccounts(cwd: string, environment: Environment, args: readonly string[], input: string) {
  const child = spawn(process.execPath, [cli, 'accounts', ...args], {
    cwd,
    env: { ...childEnvironment(), ...environment },
    stdio: 'pipe',
  });
  child.stdin.end(input);
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, output, errors };
}

describe('a server for a lab', () => {
  it('starts on the network with an account of our own, over https, and has no demo accounts', async () => {
    await using folder = await temporaryFolder();
    const certificate = makeCertificate();
    const { certFile, keyFile } = await writeCertificate(folder.path, certificate);
    using _trusted = trust(certificate);
    const port = await freePort();
    const address = `https://localhost:${port}`;
    const onThisMachine = { PORT: String(port), TLS_CERT: certFile, TLS_KEY: keyFile, PUBLIC_URL: address };
    const onTheNetwork = { ...onThisMachine, HOST: '0.0.0.0' };
    const start = (environment: Environment) => startServerProcess({ cwd: folder.path, environment });
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

    const demoBrowser = new Browser();
    let demoTokens: Awaited<ReturnType<typeof signIn>>;
    {
      await using demo = await start(onThisMachine);
      demoTokens = await signIn(address, 'admin', demoBrowser);
      expect((await fetch(`${address}/api/feedback`, bearer(demoTokens.access_token))).status).toBe(200);
      await demo.stop();
    }

    await expect(start(onTheNetwork)).rejects.toThrow(
      'The server did not start: HOST 0.0.0.0 would let others use the demo accounts, which have no passwords: make an account of your own with "npm run accounts -- add <name> --admin", or set OIDC_URL to your identity provider.\n',
    );
    const added = await runAccounts(folder.path, onTheNetwork, ['add', 'me', '--admin'], `${me.password}\n`);
    expect(added).toEqual({
      code: 0,
      output:
        'me may sign in and is an administrator.\nThe demo accounts are removed, and their users are signed out.\n',
      errors: '',
    });

    await using server = await start(onTheNetwork);
    expect(server.address).toBe(address);
    const tokens = await signInWithPassword(address, me);
    expect(decodeJwt(tokens.access_token).iss).toBe(`${address}${paths.realm}`);
    expect((await fetch(`${address}/api/feedback`, bearer(tokens.access_token))).status).toBe(200);

    // The demo account is gone: from the page, its button, and old tokens and sessions.
    const browser = new Browser();
    const first = await browser.fetch(authorizationRequest(address).url);
    expect(first.headers.getSetCookie().every((cookie) => /; secure/i.test(cookie))).toBe(true);
    const login = new URL(first.headers.get('location') ?? '', address);
    expect(await (await browser.fetch(login)).text()).not.toMatch(/demo|name="account"/);
    expect((await browser.post(login, { account: 'admin' })).status).toBe(401);
    expect((await browser.post(login, { username: 'admin', password: '' })).status).toBe(401);
    expect((await fetch(`${address}/api/feedback`, bearer(demoTokens.access_token))).status).toBe(401);
    const renewal = { grant_type: 'refresh_token', refresh_token: demoTokens.refresh_token };
    expect((await requestTokens(address, renewal)).status).toBe(400);
    const silent = await demoBrowser.follow(
      authorizationRequest(address, { prompt: 'none' }).url,
      staticPages.signInCallback,
    );
    expect(silent.searchParams.get('error')).toBe('login_required');

    // Effects of https.
    const page = await fetch(`https://127.0.0.1:${port}/`, { headers: { accept: 'text/html' }, redirect: 'manual' });
    expect([page.status, page.headers.get('location')]).toEqual([307, `${address}/`]);
    expect(page.headers.get('strict-transport-security')).toBe('max-age=31536000');
    await server.stop();
  }, 180_000);

  const refused: readonly (readonly [string, Environment, string])[] = [
    [
      'a public address and a proxy',
      { PUBLIC_URL: 'https://bench.example.org', TRUST_PROXY: 'on' },
      'PUBLIC_URL https://bench.example.org, TRUST_PROXY would let others use the demo accounts',
    ],
    ['a proxy alone', { TRUST_PROXY: 'loopback' }, 'TRUST_PROXY would let others use the demo accounts'],
    ['every address', { HOST: '::' }, 'HOST :: would let others use the demo accounts'],
    ['a certificate without a key', { TLS_CERT: 'cert.pem' }, 'TLS_KEY is missing'],
    [
      'a certificate that is not there',
      { TLS_CERT: 'cert.pem', TLS_KEY: 'key.pem' },
      'TLS_CERT cert.pem cannot be read (ENOENT)',
    ],
  ];

  it.each(refused)(
    'may not start with %s and no account: one line says what to do',
    async (_name, environment, line) => {
      await using folder = await temporaryFolder();
      const checked = checkSettings({ DATA_DIR: folder.path, ...environment });
      await expect(checked).rejects.toMatchObject({ lines: [expect.stringContaining(line)] });
    },
  );

  it.runIf(isLong).each(refused)('does not start with %s and no account', async (_name, environment, line) => {
    await using folder = await temporaryFolder();
    const started = startServerProcess({ cwd: folder.path, environment });
    await expect(started).rejects.toThrow(line);
    await expect(started).rejects.toThrow(/^The server did not start: [^\n]+\n$/);
  });
});

describe('the command for accounts', () => {
  it('explains itself, and says what is wrong in one line', async () => {
    await using folder = await temporaryFolder();
    const help = await runAccounts(folder.path, {}, ['--help'], '');
    expect([help.code, help.output]).toEqual([0, expect.stringContaining('Usage: npm run accounts -- <command>')]);
    expect(await runAccounts(folder.path, {}, ['add', 'me'], 'short\n')).toEqual({
      code: 1,
      output: '',
      errors: 'The password must have at least 12 characters.\n',
    });
    expect((await runAccounts(folder.path, {}, ['add', 'me'], '')).code).toBe(1);
  });
});

describe('the list of accounts', () => {
  it('has every account with its current role and state, also before its first sign-in, and names the command', async () => {
    await using server = await startServerWithAccounts();
    const { access_token: token } = await signInWithPassword(server.address, me);
    const list = async () => {
      const answer = await fetch(`${server.address}${moderationPaths.accounts}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return AccountList.parse(await answer.json());
    };
    const before = await list();
    expect(before.command).toBe('npm run accounts');
    expect(before.accounts).toMatchObject([
      { publicName: lab.username, role: 'user', lastSeenAt: null, blocked: null },
      { publicName: me.username, role: 'admin', lastSeenAt: expect.any(String) },
    ]);
    expect(before.accounts[0]).not.toHaveProperty('isDisabled');
    await accounts(server.dataDir, ['role', lab.username, 'admin']);
    await accounts(server.dataDir, ['disable', lab.username]);
    expect((await list()).accounts[0]).toMatchObject({ publicName: lab.username, role: 'admin', isDisabled: true });
  });
});
