/** Reach of a change: its files, the projects of the compiler that hold them, and the tests that import them. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importsAndWorkersOf, type SourceFile } from '../structure/source-files.ts';

/** Runs git; returns the lines of its output, or null if it failed. */
function git(root: string, ...args: readonly string[]): readonly string[] | null {
  try {
    const output = execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return output.split('\0').filter((line) => line !== '');
  } catch {
    return null;
  }
}

/**
 * Returns the files that differ from the main branch, by path from the root: changed since the two parted, uncommitted
 * and untracked. Deleted files are left out. Without a main branch, only uncommitted changes count.
 */
export function changedFiles(root: string): readonly string[] {
  const bases = ['origin/main', 'main'].map((main) => git(root, 'merge-base', main, 'HEAD')?.[0]?.trim());
  const base = bases.find((found) => found !== undefined) ?? 'HEAD';
  const changed = git(root, 'diff', '-z', '--name-only', '--relative', base) ?? [];
  const untracked = git(root, 'ls-files', '-z', '--others', '--exclude-standard') ?? [];
  return [...new Set([...changed, ...untracked])].filter((path) => existsSync(join(root, path))).sort();
}

/** The compiler's projects, with the files that belong to each (`include` and `exclude` of its settings). */
const projects: readonly (readonly [project: string, holds: (path: string) => boolean])[] = [
  [
    'packages/tsconfig.json',
    (path) =>
      /^packages\/(?!flash-button\/|node-port\/)[^/]+\/src\//.test(path) &&
      !/\.test\.ts$|\/testing\/|^packages\/devices\/src\/(?:cli\.ts|serve\/)|^packages\/rfc2217\/src\/(?:network-port|serve)\//.test(
        path,
      ),
  ],
  ['packages/tsconfig.node.json', (path) => /^packages\/(?!flash-button\/)[^/]+\/src\//.test(path)],
  ['packages/flash-button/tsconfig.json', (path) => path.startsWith('packages/flash-button/src/')],
  ['apps/server/tsconfig.json', (path) => path.startsWith('apps/server/src/')],
  ['apps/cli/tsconfig.json', (path) => path.startsWith('apps/cli/src/')],
  ['apps/web/tsconfig.json', (path) => /^apps\/web\/src\/(?!.*(?:\.test\.tsx?$|\.worker\.ts$|\/testing\/))/.test(path)],
  ['apps/web/tsconfig.worker.json', (path) => /^apps\/web\/src\/.*\.worker(?:\.test)?\.ts$/.test(path)],
  [
    'apps/web/tsconfig.tests.json',
    (path) => /^apps\/web\/src\/.*(?:\.test\.tsx?$|\/testing\/)/.test(path) && !path.endsWith('.worker.test.ts'),
  ],
  ['tsconfig.json', (path) => /^(?:scripts|e2e|benchmarks)\/|^(?:apps\/web\/)?[^/]+\.ts$/.test(path)],
];

/** Returns the projects that hold one of the files. Settings of the compiler and manifests concern all of them. */
export function projectsOf(files: readonly string[]): readonly string[] {
  const sources = files.filter((path) => /\.tsx?$/.test(path));
  return files.some((path) => /(?:^|\/)(?:tsconfig[\w.]*|package)\.json$/.test(path))
    ? projects.map(([project]) => project)
    : projects.filter(([, holds]) => sources.some(holds)).map(([project]) => project);
}

/** Folder of the workspace that a file belongs to: `packages/serial`, or the first folder of the path. */
const workspaceOf = (path: string) => /^(?:apps|packages)\/[^/]+|^[^/]+/.exec(path)?.[0] ?? '';

/** Returns the file that an import across workspaces leads to, by the workspace's manifest. */
function entryOf(root: string, specifier: string): string | undefined {
  const [, name = '', rest = ''] = /^@wirebench\/([^/]+)(\/.*)?$/.exec(specifier) ?? [];
  const folder = ['packages', 'apps'].map((top) => `${top}/${name}`).find((path) => existsSync(join(root, path)));
  if (name === '' || folder === undefined) {
    return undefined;
  }
  const manifest: { readonly exports?: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  );
  const entries = Object.entries(manifest.exports ?? {});
  const exact = entries.find(([entry]) => entry === `.${rest}`)?.[1];
  const pattern = entries.find(([entry]) => entry.endsWith('*') && `.${rest}`.startsWith(entry.slice(0, -1)));
  const target = exact ?? pattern?.[1].replace('*', `.${rest}`.slice(pattern[0].length - 1));
  return target === undefined ? undefined : `${folder}/${target.replace(/^\.\//, '')}`;
}

/**
 * Returns the tests that reach the files by imports, the nearest first: every one of the same workspace, and those of
 * others that import a file itself. An entry such as `index.ts` would otherwise lead from each file of a package to
 * nearly every test there is.
 *
 * @param sources All sources of the repository.
 */
export function testsOf(root: string, files: readonly string[], sources: readonly SourceFile[]): readonly string[] {
  const importers = new Map<string, string[]>();
  const entries = new Map<string, string | undefined>();
  for (const source of sources) {
    for (const target of importsAndWorkersOf(source)) {
      if (!entries.has(target)) {
        entries.set(target, target.startsWith('@wirebench/') ? entryOf(root, target) : target);
      }
      const path = entries.get(target);
      if (path !== undefined) {
        importers.set(path, [...(importers.get(path) ?? []), source.path]);
      }
    }
  }
  const isTest = (path: string) => /\.test\.tsx?$/.test(path);
  const reached = new Set(files);
  // The set grows while it is walked, so that the order is the distance.
  for (const path of reached) {
    for (const importer of importers.get(path) ?? []) {
      if (workspaceOf(importer) === workspaceOf(path) || (files.includes(path) && isTest(importer))) {
        reached.add(importer);
      }
    }
  }
  return [...reached].filter(isTest);
}
