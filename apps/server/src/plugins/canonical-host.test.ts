import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../testing/test-app.ts';

const html = { accept: 'text/html' };

describe('a page under another host name of the server', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  afterAll(() => test[Symbol.asyncDispose]());
  const ask = (url: string, host: string, headers: Record<string, string> = html) =>
    test.app.inject({ url, headers: { host, ...headers } });

  it('is redirected to the public one, so that sign-in works', async () => {
    const answer = await ask('/app/uart?tab=2', '127.0.0.1:4173');
    expect([answer.statusCode, answer.headers.location]).toEqual([307, 'http://localhost:4173/app/uart?tab=2']);
    expect((await ask('/nowhere', '[::1]:4173')).statusCode).toBe(307);
  });

  it('is served under the public one', async () => {
    expect((await ask('/app/uart', 'localhost:4173')).statusCode).toBe(200);
  });

  it('still serves its files, its configuration and its calls', async () => {
    for (const url of ['/theme.js', '/config.json', '/api/health']) {
      expect((await ask(url, '127.0.0.1:4173', {})).statusCode).toBe(200);
    }
  });

  it('cannot be redirected elsewhere by the request', async () => {
    const answer = await ask('//evil.example/', '127.0.0.1:4173');
    expect(new URL(String(answer.headers.location)).host).toBe('localhost:4173');
  });
});

describe('the host behind a proxy', () => {
  const publicUrl = { PUBLIC_URL: 'https://bench.example.org' };

  it('causes no redirect loop if the proxy has a name of its own for the server', async () => {
    await using test = await buildTestApp(publicUrl);
    const answer = await test.app.inject({ url: '/', headers: { ...html, host: 'backend:4173' } });
    expect(answer.statusCode).toBe(200);
  });

  it('is the forwarded name if the proxy is trusted', async () => {
    await using test = await buildTestApp({ ...publicUrl, TRUST_PROXY: 'on' });
    const ask = (forwarded: string) =>
      test.app.inject({ url: '/', headers: { ...html, host: 'backend:4173', 'x-forwarded-host': forwarded } });
    expect((await ask('bench.example.org')).statusCode).toBe(200);
    expect((await ask('www.example.org')).headers.location).toBe('https://bench.example.org/');
  });
});

describe('a proxy that the server does not trust', () => {
  const said = [
    { 'x-forwarded-host': 'bench.example.org' },
    { 'x-forwarded-host': 'evil.example' },
    { 'x-forwarded-host': 'a.example, b.example' },
    { 'x-forwarded-proto': 'https' },
    { forwarded: 'for=192.0.2.1;host=bench.example.org;proto=https' },
    { 'x-forwarded-for': '192.0.2.1' },
    { via: '1.1 proxy' },
  ];
  it.each(['https://bench.example.org', 'http://bench.example.org'])(
    'causes no redirect loop on %s, whatever headers it sends',
    async (publicUrl) => {
      await using test = await buildTestApp({ PUBLIC_URL: publicUrl });
      for (const headers of said) {
        for (const host of ['backend:4173', '127.0.0.1:4173', 'bench.example.org']) {
          const answer = await test.app.inject({ url: '/', headers: { ...html, host, ...headers } });
          expect([host, headers, answer.statusCode]).toEqual([host, headers, 200]);
        }
      }
    },
  );

  it('does not name the host for a server that speaks https itself', async () => {
    await using test = await buildTestApp();
    const headers = { ...html, host: 'localhost:4173', 'x-forwarded-host': 'evil.example' };
    expect((await test.app.inject({ url: '/', headers })).statusCode).toBe(200);
  });
});

describe('a trusted proxy', () => {
  it.each([
    { 'x-forwarded-host': 'bench.example.org:443' },
    { 'x-forwarded-host': 'BENCH.example.org' },
    { 'x-forwarded-host': 'inner.example, bench.example.org' },
    { host: 'bench.example.org', 'x-forwarded-host': 'inner.example' },
    { 'x-forwarded-proto': 'http' },
    { forwarded: 'host=inner.example' },
  ])('gives the public host in any of its headers: %j', async (said) => {
    await using test = await buildTestApp({ PUBLIC_URL: 'https://bench.example.org', TRUST_PROXY: '1' });
    const answer = await test.app.inject({ url: '/', headers: { ...html, host: 'backend:4173', ...said } });
    expect(answer.statusCode).toBe(200);
  });
});

describe('a server on the network without a public address', () => {
  it('does not redirect visitors to localhost', async () => {
    await using test = await buildTestApp({ HOST: '0.0.0.0' });
    const answer = await test.app.inject({ url: '/', headers: { ...html, host: '192.168.1.5:4173' } });
    expect(answer.statusCode).toBe(200);
  });
});
