/**
 * Finds the Caddy for tests with two servers behind it: an installed one, otherwise the system's package. The package
 * is unpacked instead of installed, because installing would start Caddy as a service.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync } from 'node:fs';
import { fetchedCaddy, findCaddy } from '../../apps/server/src/testing/caddy.ts';
import { updatePackageLists } from './packages.ts';
import { type Counts, passedOnce } from './step.ts';

/** Finds or fetches Caddy; counts a missing one as skipped. */
export async function provideCaddy(): Promise<Counts> {
  if (findCaddy() !== null || ((await unpacked()) && findCaddy() !== null)) {
    return passedOnce;
  }
  console.error('No Caddy could be found or fetched: install it. Its suite is skipped.');
  return { passed: 0, failed: 0, skipped: 1 };
}

async function unpacked(): Promise<boolean> {
  if (process.platform !== 'linux' || !existsSync('/usr/bin/apt-get')) {
    return false;
  }
  console.log('Fetching caddy with apt-get.');
  mkdirSync(fetchedCaddy, { recursive: true });
  const run = (program: string, ...args: string[]) =>
    spawnSync(program, args, { cwd: fetchedCaddy, stdio: 'ignore', timeout: 300_000 }).status === 0;
  const download = () => run('apt-get', '-qq', 'download', 'caddy');
  return (
    (download() || ((await updatePackageLists()) && download())) &&
    globSync('caddy_*.deb', { cwd: fetchedCaddy }).some((file) => run('dpkg-deb', '--extract', file, '.'))
  );
}
