/**
 * Finds Node 20 for the tests of the published packages, in this order: the variable NODE20, the path, the cache, and
 * npm's package of its binary.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from '../build/web.ts';
import { type Counts, passedOnce } from './step.ts';

const cache = join(root, '.cache', 'node-20');
const binary = process.platform === 'win32' ? 'node.exe' : 'node';

/** Name of npm's package with Node's binary for this machine. */
const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** Returns the path of a Node 20; null if there is none. */
export function findNodeTwenty(): string | null {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, binary));
  const named = process.env['NODE20'];
  return [...(named ? [named] : []), ...onPath, cached()].find(isTwenty) ?? null;
}

const cached = () => join(cache, 'node_modules', nodePackage, 'bin', binary);

function isTwenty(path: string): boolean {
  return (
    existsSync(path) &&
    /^v20\./.test(spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 30_000 }).stdout ?? '')
  );
}

/** Finds or installs Node 20; counts a missing one as skipped. */
export async function provideNodeTwenty(): Promise<Counts> {
  if (findNodeTwenty() === null) {
    mkdirSync(cache, { recursive: true });
    spawnSync('npm', ['install', '--prefix', cache, '--no-audit', '--no-fund', `${nodePackage}@20`], {
      stdio: 'ignore',
      timeout: 300_000,
      shell: process.platform === 'win32',
    });
  }
  if (findNodeTwenty() !== null) {
    return passedOnce;
  }
  console.error('No Node 20 could be found or installed: set NODE20 to its path. Tests of published packages skipped.');
  return { passed: 0, failed: 0, skipped: 1 };
}
