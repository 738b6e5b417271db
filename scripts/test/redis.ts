/**
 * Finds the Redis that the tests of several processes share: an installed Redis or Valkey, else the system's package manager; in this
 * order.
 */
import { findRedis } from '../../apps/server/src/testing/redis.ts';
import { installPackages } from './browser.ts';
import { type Counts, passedOnce } from './step.ts';

/** What cannot be had is counted as skipped. */
export function provideRedis(): Counts {
  if (findRedis() !== null || installed()) {
    return passedOnce;
  }
  console.error('No Redis could be found or installed: install redis-server or valkey-server. Its suites are skipped.');
  return { passed: 0, failed: 0, skipped: 1 };
}

function installed(): boolean {
  return (installPackages('redis-server') || installPackages('valkey-server')) && findRedis() !== null;
}
