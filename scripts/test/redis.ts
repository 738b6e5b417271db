/**
 * Finds the Redis that the tests of several processes share: an installed Redis or Valkey, else the system's package manager; in this
 * order.
 */
import { findRedis } from '../../apps/server/src/testing/redis.ts';
import { installPackages, type Tool } from './packages.ts';
import { type Counts, passedOnce } from './step.ts';

export const redis: Tool = { group: 'unit', packages: ['redis-server'], isHere: () => findRedis() !== null };

/** What cannot be had is counted as skipped. */
export async function provideRedis(): Promise<Counts> {
  if (redis.isHere() || (await installed())) {
    return passedOnce;
  }
  console.error('No Redis could be found or installed: install redis-server or valkey-server. Its suites are skipped.');
  return { passed: 0, failed: 0, skipped: 1 };
}

async function installed(): Promise<boolean> {
  return ((await installPackages(...redis.packages)) || (await installPackages('valkey-server'))) && redis.isHere();
}
