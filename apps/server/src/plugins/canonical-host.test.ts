import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../testing/test-app.ts';

const html = { accept: 'text/html' };

describe('a page under another name of the server', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await buildTestApp();
  });
  afterAll(() => test[Symbol.asyncDispose]());
  const ask = (url: string, host: string, headers: Record<string, string> = html) =>
    test.app.inject({ url, headers: { host, ...headers } });

  it('is redirected to the public one, where sign-in works', async () => {
    const answer = await ask('/app/uart?tab=2', '127.0.0.1:4173');
    expect([answer.statusCode, answer.headers.location]).toEqual([307, 'http://localhost:4173/app/uart?tab=2']);
    expect((await ask('/nowhere', '[::1]:4173')).statusCode).toBe(307);
  });

  it('is served under the public one', async () => {
    expect((await ask('/app/uart', 'localhost:4173')).statusCode).toBe(200);
  });

  it('still has its files, its configuration and its calls', async () => {
    for (const url of ['/theme.js', '/config.json', '/api/health']) {
      expect((await ask(url, '127.0.0.1:4173', {})).statusCode).toBe(200);
    }
  });

  it('cannot be redirected elsewhere by what is asked for', async () => {
    const answer = await ask('//evil.example/', '127.0.0.1:4173');
    expect(new URL(String(answer.headers.location)).host).toBe('localhost:4173');
  });
});

describe('behind a proxy', () => {
  const publicUrl = { PUBLIC_URL: 'https://bench.example.org' };

  it("the proxy's own name for the server does not send people round in circles", async () => {
    await using test = await buildTestApp(publicUrl);
    const answer = await test.app.inject({ url: '/', headers: { ...html, host: 'backend:4173' } });
    expect(answer.statusCode).toBe(200);
  });

  it('that is trusted, the name that people typed counts', async () => {
    await using test = await buildTestApp({ ...publicUrl, TRUST_PROXY: 'on' });
    const ask = (forwarded: string) =>
      test.app.inject({ url: '/', headers: { ...html, host: 'backend:4173', 'x-forwarded-host': forwarded } });
    expect((await ask('bench.example.org')).statusCode).toBe(200);
    expect((await ask('www.example.org')).headers.location).toBe('https://bench.example.org/');
  });
});

describe('on the network without a public address', () => {
  it('people are not sent to their own machine', async () => {
    await using test = await buildTestApp({ HOST: '0.0.0.0' });
    const answer = await test.app.inject({ url: '/', headers: { ...html, host: '192.168.1.5:4173' } });
    expect(answer.statusCode).toBe(200);
  });
});
