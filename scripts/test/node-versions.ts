/**
 * Finds the versions of Node that programs and packages have to run on, each in this order: the variable such as
 * NODE20, the path, the cache, and npm's package of its binary.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from '../build/web.ts';
import { type Counts, passedOnce, sum } from './step.ts';

/** Versions that `npm run test:long` tries, the oldest first. `npm test` tries the oldest, and the one that runs it. */
export const nodeVersions = [20, 22, 24, 26] as const;
export type NodeVersion = (typeof nodeVersions)[number];

const binary = process.platform === 'win32' ? 'node.exe' : 'node';

/** Name of npm's package with Node's binary for this machine. */
const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** Returns the path of a Node with this major version; null if there is none. */
export function findNode(version: NodeVersion): string | null {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, binary));
  const named = process.env[`NODE${version}`];
  const cached = join(cacheOf(version), 'node_modules', nodePackage, 'bin', binary);
  return [...(named ? [named] : []), ...onPath, cached].find((path) => isVersion(path, version)) ?? null;
}

const cacheOf = (version: NodeVersion) => join(root, '.cache', `node-${version}`);

function isVersion(path: string, version: NodeVersion): boolean {
  const ask = () => spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 30_000 }).stdout ?? '';
  return existsSync(path) && ask().startsWith(`v${version}.`);
}

/**
 * Finds or installs the versions that a run tries; counts each missing one as skipped.
 *
 * @param isLong True: the run is `npm run test:long`. The run sets its variable after this module is loaded.
 */
export function provideNodes(isLong: boolean): Counts {
  return sum((isLong ? nodeVersions : nodeVersions.slice(0, 1)).map(provideNode));
}

function provideNode(version: NodeVersion): Counts {
  if (findNode(version) === null) {
    const cache = cacheOf(version);
    mkdirSync(cache, { recursive: true });
    spawnSync('npm', ['install', '--prefix', cache, '--no-audit', '--no-fund', `${nodePackage}@${version}`], {
      stdio: 'ignore',
      timeout: 300_000,
      shell: process.platform === 'win32',
    });
  }
  if (findNode(version) !== null) {
    return passedOnce;
  }
  console.error(
    `No Node ${version} could be found or installed: set NODE${version} to its path. Its tests are skipped.`,
  );
  return { passed: 0, failed: 0, skipped: 1 };
}
