/**
 * Finds the Redis for tests with several processes: an installed Redis or Valkey, otherwise the system's package
 * manager.
 */
import { findRedis } from '../../apps/server/src/testing/redis.ts';
import { installPackages, type Tool } from './packages.ts';
import { type Counts, passedOnce } from './step.ts';

export const redis: Tool = { group: 'unit', packages: ['redis-server'], isHere: () => findRedis() !== null };

/** Finds or installs Redis; counts a missing one as skipped. */
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
