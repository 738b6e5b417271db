import { staticPages } from '@wirebench/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../testing/test-app.ts';
import { startTestServer } from '../testing/test-server.ts';

let test: TestApp;

beforeAll(async () => {
  test = await buildTestApp();
});

afterAll(() => test[Symbol.asyncDispose]());

async function headersOf(url: string) {
  const { headers } = await test.app.inject({ url, headers: { accept: 'text/html', host: 'localhost:4173' } });
  return headers;
}

function directives(policy: unknown): Record<string, string> {
  return Object.fromEntries(
    String(policy)
      .split('; ')
      .map((directive) => {
        const [name = '', ...values] = directive.split(' ');
        return [name, values.join(' ')];
      }),
  );
}

describe('security headers', () => {
  it('let a page load its own files, call the API and the issuer, and never be framed', async () => {
    const headers = await headersOf('/');
    expect(directives(headers['content-security-policy'])).toEqual({
      'default-src': "'self'",
      'script-src': "'self'",
      'style-src': "'self'",
      'img-src': "'self' data: https:",
      'connect-src': `'self' ${test.issuer.url}`,
      'worker-src': "'self'",
      'frame-src': `'self' ${test.issuer.url}`,
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
    });
    expect(headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'serial=(self), usb=(self)',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(headers).not.toHaveProperty('strict-transport-security');
  });

  it.each(['/app/uart', '/admin', '/nowhere', '/assets/main-B1ab2Cd3.js', '/theme.js', '/config.json'])(
    'equal those of a page for %s',
    async (url) => {
      const [home, headers] = [await headersOf('/'), await headersOf(url)];
      for (const name of ['content-security-policy', 'cross-origin-opener-policy', 'permissions-policy']) {
        expect(headers[name]).toBe(home[name]);
      }
    },
  );

  it.each([staticPages.signInCallback, staticPages.signOutCallback])(
    'let %s find the page that opened it',
    async (url) => {
      const headers = await headersOf(`${url}?code=x&state=y`);
      expect(headers).not.toHaveProperty('cross-origin-opener-policy');
      expect(directives(headers['content-security-policy'])['frame-ancestors']).toBe("'none'");
    },
  );

  it('let only the app frame the silent check', async () => {
    const headers = await headersOf(staticPages.silentCheck);
    expect(headers).not.toHaveProperty('cross-origin-opener-policy');
    expect(directives(headers['content-security-policy'])['frame-ancestors']).toBe("'self'");
  });

  it.each(['/api/health', '/api/feedback', '/api/nowhere'])('forbid every source and any cache for %s', async (url) => {
    expect(await headersOf(url)).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  it('let only the worker for manifests connect to other hosts', async () => {
    const script = '/assets/manifest-loader.worker-B1ab2Cd3.js';
    expect(directives((await headersOf(script))['content-security-policy'])).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'connect-src': "'self' https: http:",
    });
    for (const other of ['/assets/manifest-loader-B1ab2Cd3.js', `/x${script}`, `${script}/x`, '/esp_flasher.html']) {
      expect(directives((await headersOf(other))['content-security-policy'])['connect-src'], other).toBe(
        `'self' ${test.issuer.url}`,
      );
    }
  });

  it('let the worker for manifests use http on this computer only if the site has https', async () => {
    await using secure = await buildTestApp({ PUBLIC_URL: 'https://bench.example.org' });
    const { headers } = await secure.app.inject('/assets/manifest-loader.worker-B1ab2Cd3.js');
    expect(directives(headers['content-security-policy'])['connect-src']).toBe(
      "'self' https: http://localhost:* http://127.0.0.1:* http://[::1]:*",
    );
  });

  it('never allow inline or evaluated code', async () => {
    for (const url of ['/', '/nowhere', '/api/health', ...Object.values(staticPages)]) {
      expect((await headersOf(url))['content-security-policy']).not.toContain('unsafe');
    }
  });

  it('require https only if the public address has it', async () => {
    await using secure = await buildTestApp({ PUBLIC_URL: 'https://bench.example.org' });
    const { headers } = await secure.app.inject('/');
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
    expect(headers['content-security-policy']).toContain('; upgrade-insecure-requests');
  });

  it('require https on sub-domains only if the operator sets it', async () => {
    await using secure = await buildTestApp({ PUBLIC_URL: 'https://bench.example.org', HSTS_SUBDOMAINS: 'on' });
    const { headers } = await secure.app.inject('/');
    expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  });

  it('let pages call a separate API', async () => {
    await using separate = await buildTestApp({ API_URL: 'https://api.example.org' });
    const { headers } = await separate.app.inject('/');
    expect(directives(headers['content-security-policy'])).toMatchObject({
      'connect-src': `'self' ${separate.issuer.url} https://api.example.org wss://api.example.org`,
      'img-src': "'self' https://api.example.org data: https:",
      'frame-src': `'self' ${separate.issuer.url}`,
    });
  });

  it('name no other origin when the embedded provider is on the same one', async () => {
    await using server = await startTestServer();
    const { headers } = await fetch(server.address);
    expect(directives(headers.get('content-security-policy'))).toMatchObject({
      'connect-src': "'self'",
      'frame-src': "'self'",
    });
  });

  it('allow no other origin to read an answer', async () => {
    const { headers } = await test.app.inject({ url: '/api/health', headers: { origin: 'https://evil.example' } });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });
});
