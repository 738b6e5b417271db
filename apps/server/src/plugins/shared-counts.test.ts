import { livePaths } from '@wirebench/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { findRedis, startRedis } from '../testing/redis.ts';
import { startSilentServer } from '../testing/silent-server.ts';
import { buildTestApp, type TestApp } from '../testing/test-app.ts';

const statusOf = async ({ app }: TestApp) => (await app.inject(livePaths.room('nothing'))).statusCode;

afterEach(() => {
  vi.useRealTimers();
});

describe('a limit that is reached before the date is set back by an hour', () => {
  it('ends after a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await using test = await buildTestApp({ RATE_LIMIT_READS: '2' });
    expect([await statusOf(test), await statusOf(test), await statusOf(test)]).toEqual([404, 404, 429]);
    vi.setSystemTime(Date.now() - 3_600_000);
    const refused = await test.app.inject(livePaths.room('nothing'));
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
    await test.clock.advance(59_999);
    expect(await statusOf(test)).toBe(429);
    await test.clock.advance(1);
    expect(await statusOf(test)).toBe(404);
  });
});

describe.skipIf(findRedis() === null)('limits that processes share', () => {
  it('count calls at both together, and at each alone while Redis is away', async () => {
    await using redis = await startRedis();
    const settings = { REDIS_URL: redis.url, RATE_LIMIT_READS: '4' };
    await using one = await buildTestApp(settings);
    await using other = await buildTestApp(settings);
    expect([await statusOf(one), await statusOf(other), await statusOf(one), await statusOf(other)]).toEqual([
      404, 404, 404, 404,
    ]);
    expect([await statusOf(one), await statusOf(other)]).toEqual([429, 429]);
    expect((await redis.keys()).join()).not.toContain('127.0.0.1');
    await redis.kill();
    const alone = [1, 2, 3, 4, 5].map(() => statusOf(one));
    expect((await Promise.all(alone)).toSorted()).toEqual([404, 404, 404, 404, 429]);
  });
});

describe.skipIf(findRedis() === null)('a Redis whose date is set back by an hour', () => {
  it('refuses for a minute at most', async () => {
    await using redis = await startRedis();
    await using test = await buildTestApp({ REDIS_URL: redis.url, RATE_LIMIT_READS: '2' });
    expect([await statusOf(test), await statusOf(test), await statusOf(test)]).toEqual([404, 404, 429]);
    // Keys keep the date at which they expire.
    const [key] = (await redis.keys()).filter((line) => line.startsWith('wirebench:calls:'));
    expect(await redis.command(`PEXPIRE ${key} 3600000`)).toContain(':1');
    const refused = await test.app.inject(livePaths.room('nothing'));
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '60']);
  });
});

describe('a Redis that takes connections and never answers', () => {
  it('keeps no server from starting, and readiness says so', async () => {
    await using silent = await startSilentServer();
    await using test = await buildTestApp({ REDIS_URL: silent.address.replace('http', 'redis') });
    const ready = await test.app.inject('/api/ready');
    expect([ready.statusCode, ready.json().code]).toEqual([503, 'live-unavailable']);
    expect((await test.app.inject('/api/health')).statusCode).toBe(200);
    expect(await statusOf(test)).toBe(404);
    const headers = await test.bearer();
    const made = await test.app.inject({ method: 'POST', url: livePaths.rooms, headers });
    expect([made.statusCode, made.json().code]).toEqual([503, 'live-unavailable']);
  });
});
