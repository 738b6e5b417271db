import { describe, expect, it } from 'vitest';
import { findRedis, startRedis } from '../testing/redis.ts';
import { SharedStore, SharedStoreUnavailableError } from './shared-store.ts';

describe.skipIf(findRedis() === null)('a Redis that answers and cannot run a command', () => {
  const ECHO_ERROR = `return redis.error_reply(ARGV[1])`;

  it.each([
    "OOM command not allowed when used memory > 'maxmemory'.",
    'MISCONF Redis is configured to save RDB snapshots',
    'LOADING Redis is loading the dataset in memory',
    "READONLY You can't write against a read only replica.",
    'MASTERDOWN Link with MASTER is down',
    'NOREPLICAS Not enough good replicas to write.',
    'BUSY Redis is busy running a script.',
    'CLUSTERDOWN The cluster is down',
  ])('counts as away for this call, and stays connected: %s', async (reply) => {
    await using redis = await startRedis();
    await using store = await SharedStore.open({ url: redis.url });
    await expect(store.run(ECHO_ERROR, [], [reply])).rejects.toBeInstanceOf(SharedStoreUnavailableError);
    expect(store.isUp).toBe(true);
    expect(await store.run('return 1', [], [])).toBe(1);
  });

  it('is full in earnest', async () => {
    await using redis = await startRedis();
    await using store = await SharedStore.open({ url: redis.url });
    await redis.command('CONFIG SET maxmemory 1');
    await expect(store.run(`return redis.call('SET', KEYS[1], 'x')`, ['full'], [])).rejects.toBeInstanceOf(
      SharedStoreUnavailableError,
    );
  });

  it('reports a fault of a script as one', async () => {
    await using redis = await startRedis();
    await using store = await SharedStore.open({ url: redis.url });
    await expect(store.run('return nothing()', [], [])).rejects.not.toBeInstanceOf(SharedStoreUnavailableError);
  });
});
