import { connect } from 'node:net';
import { join } from 'node:path';
import { pagePaths } from '@wirebench/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../app.ts';
import { readConfig } from '../config.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { buildTestApp, type TestApp } from '../testing/test-app.ts';
import { startTestServer } from '../testing/test-server.ts';
import { webAppFiles } from '../testing/web-app.ts';

let test: TestApp;

beforeAll(async () => {
  test = await buildTestApp();
});

afterAll(() => test[Symbol.asyncDispose]());

const page = webAppFiles['index.html'];
const asset = '/assets/main-B1ab2Cd3.js';
const ask = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
  test.app.inject({ url, method, headers: { host: 'localhost:4173', ...headers } });
const browse = (url: string) => ask(url, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });

describe('pages', () => {
  it.each(Object.values(pagePaths))('are the app at %s', async (path) => {
    for (const url of [path, `${path}?tab=1`, path === '/' ? path : `${path}/`]) {
      const answer = await browse(url);
      expect([answer.statusCode, answer.body]).toEqual([200, page]);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.headers['cache-control']).toBe('no-cache');
    }
  });

  it('are not sent again to a client that has them', async () => {
    const { etag } = (await browse('/app/uart')).headers;
    const again = await ask('/app/uart', { accept: 'text/html', 'if-none-match': String(etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it.each(['/nowhere', '/app/unknown', '/esp_flasher.html', '/release.html?type=project&id=x', '/pictures/cat.png'])(
    'are the app with status 404 for an unknown address in a browser: %s',
    async (url) => {
      const answer = await browse(url);
      expect([answer.statusCode, answer.body]).toEqual([404, page]);
      expect(answer.headers['cache-control']).toBe('no-cache');
    },
  );

  it('are not sent for unknown addresses to other clients', async () => {
    for (const answer of [
      await ask('/nowhere'),
      await ask('/nowhere', { accept: '*/*' }),
      await ask('/app/uart', { accept: 'text/html' }, 'POST'),
    ]) {
      expect([answer.statusCode, answer.body]).toEqual([404, 'There is nothing at this address.']);
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    }
  });
});

describe('files', () => {
  it('are cached for a year if their name has a hash', async () => {
    const answer = await ask(asset);
    expect([answer.statusCode, answer.body]).toEqual([200, webAppFiles['assets/main-B1ab2Cd3.js']]);
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(answer.headers['content-type']).toBe('application/javascript; charset=utf-8');
  });

  it('are revalidated each time if their name has no hash', async () => {
    const answer = await ask('/theme.js');
    expect(answer.headers['cache-control']).toBe('no-cache');
    expect(answer.headers.etag).toBeTruthy();
  });

  it('include a service worker that is revalidated each time, and a web app manifest', async () => {
    const worker = await ask('/sw.js');
    expect([worker.statusCode, worker.headers['cache-control']]).toEqual([200, 'no-cache']);
    expect(worker.headers['content-type']).toBe('application/javascript; charset=utf-8');
    expect(worker.headers['content-security-policy']).toContain("script-src 'self'");
    const manifest = await ask('/manifest.webmanifest');
    expect([manifest.statusCode, manifest.headers['cache-control']]).toEqual([200, 'no-cache']);
    expect(manifest.headers['content-type']).toMatch(/^application\/manifest\+json/);
  });

  it.each(['remote-port.mjs', 'publish-release.mjs'] as const)(
    'include programs for Node as modules that are revalidated each time: %s',
    async (name) => {
      const program = await ask(`/${name}`);
      expect([program.statusCode, program.body]).toEqual([200, webAppFiles[name]]);
      expect(program.headers['content-type']).toMatch(/^(?:text|application)\/javascript/);
      expect(program.headers['cache-control']).toBe('no-cache');
      const again = await ask(`/${name}`, { 'if-none-match': String(program.headers.etag) });
      expect([again.statusCode, again.body]).toEqual([304, '']);
    },
  );

  it('include the packed program as it is, for npm of any version', async () => {
    const accepted = { 'accept-encoding': 'br, gzip' };
    const program = await ask('/wirebench.tgz', accepted);
    expect([program.statusCode, program.body]).toEqual([200, webAppFiles['wirebench.tgz']]);
    expect(program.headers['content-type']).toBe('application/gzip');
    expect(program.headers['cache-control']).toBe('no-cache');
    expect(program.headers['content-encoding']).toBeUndefined();
    const head = await ask('/wirebench.tgz', accepted, 'HEAD');
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(String(webAppFiles['wirebench.tgz'].length));
    expect(head.headers.etag).toBe(program.headers.etag);
    const again = await ask('/wirebench.tgz', { ...accepted, 'if-none-match': String(program.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it('include the flash button for any origin, with a revalidated entry and cached chunks', async () => {
    const entry = await ask('/flash-button.js', { origin: 'https://maker.example' });
    expect([entry.statusCode, entry.body, entry.headers['cache-control']]).toEqual([
      200,
      webAppFiles['flash-button.js'],
      'no-cache',
    ]);
    const chunk = await ask('/flash-button/esp-B1ab2Cd3.js', { origin: 'https://maker.example' });
    expect(chunk.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    for (const { headers } of [entry, chunk]) {
      expect(headers['content-type']).toMatch(/javascript/);
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it.each([
    ['br, gzip', 'br', 'brotli bytes'],
    ['gzip', 'gzip', 'gzip bytes'],
    ['identity', undefined, webAppFiles['assets/main-B1ab2Cd3.js']],
  ])('are sent as they were compressed: %s', async (accepted, encoding, body) => {
    const answer = await ask(asset, { 'accept-encoding': accepted });
    expect([answer.headers['content-encoding'], answer.body]).toEqual([encoding, body]);
    expect(answer.headers['content-type']).toBe('application/javascript; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.vary).toBe('accept-encoding');
  });

  it('are sent plain if they have no compressed copy', async () => {
    const answer = await ask('/theme.js', { 'accept-encoding': 'br, gzip' });
    expect([answer.headers['content-encoding'], answer.body]).toEqual([undefined, webAppFiles['theme.js']]);
  });

  it('have no addresses for their compressed copies', async () => {
    expect((await ask(`${asset}.br`)).statusCode).toBe(404);
  });

  it.each(['/assets/gone-B1ab2Cd3.js', '/assets/'])('answer 404 as plain text if they are missing: %s', async (url) => {
    const answer = await browse(url);
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  });

  it('answer 404 to names that no file can have', async () => {
    await using server = await startTestServer();
    for (const name of [`${'a'.repeat(300)}.js`, `${'deep/'.repeat(2_000)}a.js`, 'a%00.js', 'a'.repeat(12_000)]) {
      for (const folder of ['/', '/assets/', '/flash-button/', '/api/docs/static/', '/releases/']) {
        const { status } = await fetch(new URL(`${folder}${name}`, server.address));
        expect(status, `${folder}${name}`.slice(0, 40)).toBe(404);
      }
    }
    expect(server.log.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  });

  it.each([
    '/../data/wirebench.sqlite',
    '/..%2fdata%2fwirebench.sqlite',
    '/%2e%2e/data/wirebench.sqlite',
    '/assets/..%2f..%2fdata%2fidentity-keys.json',
    '/assets/..\\..\\data\\identity-keys.json',
    '//data/wirebench.sqlite',
    '/%00',
    '/%zz',
  ])('cannot be read outside the folder by %s', async (path) => {
    await using server = await startTestServer();
    const answer = await rawGet(server.port, path);
    expect(answer).toMatch(/^HTTP\/1\.1 (400|404) /);
    expect(answer).not.toMatch(/SQLite format|signingKeys/);
  });
});

describe('a server without a built web app', () => {
  it('serves the API, answers pages with 404, and logs the reason', async () => {
    await using folder = await temporaryFolder();
    const log: string[] = [];
    const app = await buildApp({
      config: readConfig({ DATA_DIR: join(folder.path, 'data') }),
      publicUrl: 'http://localhost:4173',
      webRoot: join(folder.path, 'nothing-here'),
      logDestination: { write: (line) => log.push(line) },
    });
    expect((await app.inject('/api/health')).statusCode).toBe(200);
    expect((await app.inject({ url: '/', headers: { host: 'localhost:4173', accept: 'text/html' } })).statusCode).toBe(
      404,
    );
    expect(log.join('')).toContain('The web app is not built');
    await app.close();
  });
});

/** Requests a path unchanged. HTTP clients normalize paths before they send them. */
function rawGet(port: number, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.end(`GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`);
    });
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    socket.on('end', () => resolve(text)).on('error', reject);
  });
}
