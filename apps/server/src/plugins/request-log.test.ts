import { describe, expect, it } from 'vitest';
import { buildTestApp } from '../testing/test-app.ts';

describe('request log', () => {
  it('has one line for a call: id, method, route, status and time', async () => {
    await using test = await buildTestApp();
    const answer = await test.app.inject('/api/feedback?email=maker%40wirebench.example');
    const lines = test.log.map((line) => JSON.parse(line));
    expect(lines).toEqual([
      {
        level: 30,
        time: expect.any(Number),
        pid: expect.any(Number),
        hostname: expect.any(String),
        reqId: answer.headers['x-request-id'],
        method: 'GET',
        route: '/api/feedback',
        status: 401,
        ms: expect.any(Number),
        msg: 'request',
      },
    ]);
  });

  it('keeps addresses, tokens and what people wrote to itself, down to the last level', async () => {
    await using test = await buildTestApp({ LOG_LEVEL: 'trace' });
    const token = await test.token({ email: 'secret@wirebench.example' });
    const secret = 'A secret message of mine';
    const headers = { authorization: `Bearer ${token}`, accept: 'text/html', host: 'localhost:4173' };
    const body = { email: 'secret@wirebench.example', message: secret };
    await test.app.inject({ method: 'POST', url: '/api/feedback', headers, payload: body });
    await test.app.inject({ method: 'POST', url: '/api/feedback', headers, payload: { ...body, message: 'secret' } });
    await test.app.inject({ method: 'POST', url: '/api/feedback', headers: { authorization: `Bearer ${token}x` } });
    await test.app.inject({ url: '/api/feedback?email=secret@wirebench.example', headers });
    await test.app.inject({ url: '/sign-in-callback.html?code=secret', headers });
    await test.app.inject({ url: '/secret', headers });
    const log = test.log.join('');
    expect(log.match(/"route"/g)?.length).toBe(6);
    expect(log).not.toMatch(/secret/i);
    expect(log).not.toContain(token.slice(0, 40));
  });

  it('says why a token was refused, and of which request', async () => {
    await using test = await buildTestApp();
    const answer = await test.app.inject({ url: '/api/feedback', headers: await test.bearer({ exp: 1 }) });
    expect(test.log[0]).toContain('"exp\\" claim timestamp check failed"');
    expect(JSON.parse(test.log[0] ?? '')).toMatchObject({
      reqId: answer.headers['x-request-id'],
      msg: 'token refused',
    });
  });

  it('names every request differently, in this process and in others', async () => {
    await using test = await buildTestApp();
    await using other = await buildTestApp();
    const asked = await Promise.all([test, test, other].map(({ app }) => app.inject('/api/health')));
    expect(new Set(asked.map(({ headers }) => headers['x-request-id'])).size).toBe(3);
  });

  it('reports the status of each answer, also where a route has several', async () => {
    await using test = await buildTestApp();
    await test.app.inject('/api/jkits/1');
    await test.app.inject({ url: '/api/jkits/1', headers: { authorization: 'Bearer x' } });
    await test.app.inject('/api/jkits/1');
    const lines = test.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
    expect(lines.map(({ route, status }) => [route, status])).toEqual([
      ['/api/jkits/:id', 404],
      ['/api/jkits/:id', 401],
      ['/api/jkits/:id', 404],
    ]);
  });

  it('leaves probes and files to the debug level, and obeys the level', async () => {
    await using test = await buildTestApp();
    await test.app.inject('/api/health');
    await test.app.inject('/theme.js');
    expect(test.log).toEqual([]);
    await using silent = await buildTestApp({ LOG_LEVEL: 'silent' });
    await silent.app.inject('/api/feedback');
    expect(silent.log).toEqual([]);
  });
});
