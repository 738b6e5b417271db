import { apiPaths, ErrorAnswer, firmwarePaths, sharedFirmwarePaths } from '@wirebench/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../testing/test-app.ts';

const origin = 'https://bench.example.org';
const APP_ORIGINS = `${origin}, http://localhost:5173`;
const listed = { origin };
const unlisted = { origin: 'https://evil.example' };
const preflight = {
  'access-control-request-method': 'PUT',
  'access-control-request-headers': 'authorization,content-type',
};
const exposed = 'accept-ranges, content-disposition, content-range, etag, retry-after, x-request-id';

let test: TestApp;
beforeAll(async () => {
  test = await buildTestApp({ APP_ORIGINS });
});
afterAll(() => test[Symbol.asyncDispose]());

describe('a web app of a listed origin', () => {
  it.each([origin, 'http://localhost:5173'])('reads answers at %s', async (own) => {
    const headers = { ...(await test.bearer()), origin: own };
    const { statusCode, headers: answered } = await test.app.inject({ url: firmwarePaths.projects, headers });
    expect([statusCode, answered['access-control-allow-origin'], answered['vary']]).toEqual([200, own, 'Origin']);
    expect(answered['access-control-expose-headers']).toBe(exposed);
    expect(answered).not.toHaveProperty('access-control-allow-credentials');
  });

  it('asks once a day for the methods and headers that it uses', async () => {
    for (const url of [firmwarePaths.projects, apiPaths.feedback, '/api/nowhere']) {
      const answer = await test.app.inject({ method: 'OPTIONS', url, headers: { ...listed, ...preflight } });
      expect([answer.statusCode, answer.body]).toEqual([204, '']);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
        'access-control-allow-headers': 'authorization, content-type, range, if-none-match, if-range',
        'access-control-max-age': '86400',
        vary: 'Origin',
      });
    }
  });

  it('reads errors', async () => {
    const signedIn = { ...listed, ...(await test.bearer()) };
    const json = { 'content-type': 'application/json' };
    const post = { method: 'POST', url: firmwarePaths.newProject } as const;
    const answers = [
      await test.app.inject({ url: firmwarePaths.projects, headers: listed }),
      await test.app.inject({ url: '/api/nowhere', headers: listed }),
      await test.app.inject({ ...post, headers: { ...signedIn, ...json }, payload: '{' }),
      await test.app.inject({ ...post, headers: { ...signedIn, 'content-type': 'text/plain' }, payload: 'x' }),
      await test.app.inject({ ...post, headers: { ...signedIn, ...json }, payload: `"${'x'.repeat(600_000)}"` }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 404, 400, 415, 413]);
    for (const answer of answers) {
      expect(ErrorAnswer.safeParse(answer.json()).success).toBe(true);
      expect(answer.headers['access-control-allow-origin']).toBe(origin);
    }
  });
});

describe('a page of another origin', () => {
  it('reads no answer and passes no preflight, and caches keep the two apart', async () => {
    const headers = { ...(await test.bearer()), ...unlisted };
    const answers = [
      await test.app.inject({ url: firmwarePaths.projects, headers }),
      await test.app.inject({ method: 'OPTIONS', url: firmwarePaths.projects, headers: { ...unlisted, ...preflight } }),
      await test.app.inject({ url: firmwarePaths.projects, headers: { origin: 'null' } }),
      await test.app.inject({ url: firmwarePaths.projects, headers: { origin: `${origin}.evil.example` } }),
      await test.app.inject(firmwarePaths.projects),
    ];
    for (const answer of answers) {
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
      expect(answer.headers['vary']).toBe('Origin');
    }
  });
});

describe('answers that do not depend on the origin', () => {
  it('are those of public shares, which every origin reads', async () => {
    const url = sharedFirmwarePaths.item('version', 'nothing');
    for (const headers of [listed, unlisted]) {
      const answer = await test.app.inject({ url, headers });
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect(answer.headers).not.toHaveProperty('vary');
      const asked = await test.app.inject({ method: 'OPTIONS', url, headers: { ...headers, ...preflight } });
      expect([asked.statusCode, asked.headers['access-control-allow-origin']]).toEqual([204, '*']);
    }
  });

  it('are pages, which no other origin reads', async () => {
    const { headers } = await test.app.inject({ url: '/', headers: listed });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(headers['vary'] ?? '').not.toContain('Origin');
  });

  it('are all answers of a server without the setting', async () => {
    await using alone = await buildTestApp();
    const { headers } = await alone.app.inject({ url: apiPaths.health, headers: listed });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(headers).not.toHaveProperty('vary');
    const answer = await alone.app.inject({ method: 'OPTIONS', url: apiPaths.health, headers: listed });
    expect(answer.statusCode).toBe(404);
  });
});
