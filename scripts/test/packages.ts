/** Installs third-party programs for the tests with Debian's apt, if the process may use it. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Counts, passedOnce, type Step } from './step.ts';

/** A program that tests need, and its packages. */
export interface Tool {
  readonly group: Exclude<Step['group'], 'lint'>;
  readonly packages: readonly string[];
  isHere(): boolean;
}

let listsUpdated: Promise<boolean> | null = null;

/** Updates apt's package lists once in a run. Needs Linux with apt and root rights. Resolves with true on success. */
export function updatePackageLists(): Promise<boolean> {
  const mayInstall = process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  listsUpdated ??= mayInstall ? apt('update') : Promise.resolve(false);
  return listsUpdated;
}

/** Installs packages with apt. Needs Linux with apt and root rights. Resolves with true on success. */
export async function installPackages(...names: string[]): Promise<boolean> {
  if (!(await updatePackageLists())) {
    return false;
  }
  console.log(`Installing ${names.join(', ')} with apt-get.`);
  return apt('install', '-y', '--no-install-recommends', ...names);
}

/**
 * Installs the packages of all missing tools in one call, which is much faster than one by one. Packages that this
 * system lacks are left out.
 */
export async function installMissing(tools: readonly Tool[]): Promise<void> {
  const wanted = tools.filter((tool) => !tool.isHere()).flatMap(({ packages }) => packages);
  if (wanted.length > 0 && (await updatePackageLists())) {
    const available = wanted.filter((name) => spawnSync('apt-cache', ['show', name], { stdio: 'ignore' }).status === 0);
    if (available.length > 0) {
      await installPackages(...available);
    }
  }
}

/** Finds or installs a tool. Counts a missing one as skipped and prints the advice. */
export async function provide({ isHere, packages }: Tool, advice: string): Promise<Counts> {
  if (isHere() || ((await installPackages(...packages)) && isHere())) {
    return passedOnce;
  }
  console.error(advice);
  return { passed: 0, failed: 0, skipped: 1 };
}

function apt(...args: string[]): Promise<boolean> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const child = spawn('apt-get', ['-qq', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env, timeout: 900_000 });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
}
