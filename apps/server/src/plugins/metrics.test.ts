import { describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../testing/test-app.ts';

const read = async ({ app }: TestApp, options: { remoteAddress?: string; headers?: Record<string, string> } = {}) =>
  app.inject({ url: '/metrics', ...options });

/** Returns the samples of one metric: values by name and labels as printed. */
async function samples(test: TestApp, name: string): Promise<Record<string, number>> {
  const { body } = await read(test);
  const lines = body.split('\n').filter((line) => line.startsWith(name));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  );
}

describe('metrics', () => {
  it('count requests by method, route and status, and never name an address', async () => {
    await using test = await buildTestApp();
    await test.app.inject('/api/feedback?email=maker%40wirebench.example');
    await test.app.inject('/api/feedback');
    await test.app.inject('/nobody/knows/this?secret=1');
    await test.app.inject({ url: '/theme.js', headers: { host: 'localhost:4173' } });
    await test.app.inject({ url: '/intro', headers: { host: 'localhost:4173' } });
    await test.app.inject({ url: '/realms/wirebench/account' });
    expect(await samples(test, 'http_request_duration_seconds_count')).toEqual({
      'http_request_duration_seconds_count{method="GET",route="/api/feedback",status="401"}': 2,
      'http_request_duration_seconds_count{method="GET",route="unknown",status="404"}': 2,
      'http_request_duration_seconds_count{method="GET",route="pages and files",status="200"}': 2,
    });
    expect((await read(test)).body).not.toMatch(/maker|secret|nobody/);
  });

  it('report memory, processor time and how late the event loop is', async () => {
    await using test = await buildTestApp();
    expect((await samples(test, 'process_resident_memory_bytes'))['process_resident_memory_bytes']).toBeGreaterThan(
      1e6,
    );
    expect((await samples(test, 'process_cpu_seconds_total'))['process_cpu_seconds_total']).toBeGreaterThan(0);
    expect(Object.keys(await samples(test, 'nodejs_eventloop_delay_seconds'))).toHaveLength(4);
  });

  it('are in the text format of Prometheus, with its content type', async () => {
    await using test = await buildTestApp();
    await test.app.inject('/api/health');
    const { headers, body } = await read(test);
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    for (const line of body.trimEnd().split('\n')) {
      expect(line).toMatch(
        /^(# (HELP [a-z_]+ .+|TYPE [a-z_]+ (counter|gauge|histogram))|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [\d.e+-]+)$/,
      );
    }
  });

  it('are readable on this machine only, and answer 404 to others', async () => {
    await using test = await buildTestApp();
    for (const remoteAddress of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
      expect((await read(test, { remoteAddress })).statusCode).toBe(200);
    }
    for (const options of [
      { remoteAddress: '192.0.2.7' },
      { remoteAddress: '2001:db8::7' },
      { remoteAddress: '127.0.0.1', headers: { 'x-forwarded-for': '192.0.2.7' } },
      { remoteAddress: '127.0.0.1', headers: { forwarded: 'for=192.0.2.7' } },
    ]) {
      const answer = await read(test, options);
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'not-found']);
    }
  });

  it('are refused to a client that only claims to be local', async () => {
    await using test = await buildTestApp({ TRUST_PROXY: 'on' });
    const answer = await read(test, { remoteAddress: '192.0.2.7', headers: { 'x-forwarded-for': '127.0.0.1' } });
    expect(answer.statusCode).toBe(404);
  });

  it('are readable from everywhere, or from nowhere, as configured', async () => {
    await using open = await buildTestApp({ METRICS: 'all' });
    expect((await read(open, { remoteAddress: '192.0.2.7' })).statusCode).toBe(200);
    await using off = await buildTestApp({ METRICS: 'off' });
    expect((await read(off)).statusCode).toBe(404);
  });
});
