import { livePaths } from '@wirebench/contract';
import { describe, expect, it } from 'vitest';
import { findRedis, startRedis } from '../testing/redis.ts';
import { startSilentServer } from '../testing/silent-server.ts';
import { buildTestApp, type TestApp } from '../testing/test-app.ts';

const statusOf = async ({ app }: TestApp) => (await app.inject(livePaths.room('nothing'))).statusCode;

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
