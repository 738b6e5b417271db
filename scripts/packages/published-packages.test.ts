/**
 * Each published package as another project meets it: packed, installed from its archive alone in an empty folder
 * under Node 20 and without a registry, with the README's example run and compiled. `npm test` packs and installs one
 * package and copies the other ones, because npm takes longer than all the rest.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { temporaryFolder } from '@wirebench/server/testing/temporary-folder.ts';
import { firstUnlessLong, isLong } from '@wirebench/test-input';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../build/web.ts';
import { findNode } from '../test/node-versions.ts';
import { type BuiltPackage, buildPackages, readyPackages } from './build-packages.ts';

const built = join(root, '.cache', 'packages-test');
const node = findNode(20);
/** Name of an example in the archive, by which it is run and compiled. */
const example = 'example';
/** A package with bundled dependencies, which `npm test` installs. */
const installed = 'flasher';

function run(program: string, args: readonly string[], cwd: string) {
  // npm starts the `node` that it finds first.
  const path = [...(node === null ? [] : [dirname(node)]), process.env['PATH']].join(delimiter);
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    timeout: 60_000,
    env: { PATH: path, HOME: cwd, npm_config_registry: 'http://127.0.0.1:9', npm_config_update_notifier: 'false' },
  });
  return { status, stdout, stderr };
}

/** Returns the first code block of a README in a language. */
function blockOf(readme: string, language: string): string | undefined {
  return new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'm').exec(readme)?.[1];
}

/** Packs the package. Returns the archive's path and the paths of its files. */
function pack(folder: string, into: string): { readonly archive: string; readonly files: readonly string[] } {
  const { stdout, stderr } = run('npm', ['pack', folder, '--json'], into);
  expect(stderr).not.toContain('npm error');
  const [packed] = Object.values(JSON.parse(stdout)) as { filename: string; files: { path: string }[] }[];
  return { archive: join(into, packed?.filename ?? ''), files: (packed?.files ?? []).map(({ path }) => path) };
}

/** Packs the package and installs its archive. */
function install(path: string, folder: string): void {
  const { archive, files } = pack(path, folder);
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
  expect(files.filter((file) => /(?<!\.d)\.ts$|\.test\./.test(file) && !file.startsWith('node_modules/'))).toEqual([]);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const { stderr } = run('npm', ['install', archive, '--no-audit', '--no-fund'], folder);
  expect(stderr).toBe('');
  expect(readdirSync(join(folder, 'node_modules'))).toEqual(['.package-lock.json', '@wirebench']);
}

/** Entries of the manifest that are modules, as a program imports them. */
function importsOf(manifest: { readonly name: string; readonly exports: Readonly<Record<string, unknown>> }): string[] {
  return Object.entries(manifest.exports)
    .filter(([, target]) => typeof target === 'object')
    .map(([entry]) => `${manifest.name}${entry.slice(1)}`);
}

/** Compiles the examples and entries of all packages in one go, as the libraries take longer than the packages. */
function compile(resolution: 'bundler' | 'nodenext', folder: string): string {
  const config = {
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      target: 'es2022',
      lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
      module: resolution === 'bundler' ? 'esnext' : 'nodenext',
      moduleResolution: resolution,
      types: ['node'],
      typeRoots: [join(root, 'node_modules', '@types')],
    },
    files: readyPackages().flatMap((of) => [`${of.folder}/${example}.mts`, `${of.folder}/entries.mts`]),
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8', timeout: 60_000 });
  return stdout + stderr;
}

describe.skipIf(node === null)('a published package', () => {
  let packages: readonly BuiltPackage[] = [];
  /** Has a folder for each package, in which it is installed. */
  let projects = '';

  beforeAll(async () => {
    const temporary = await temporaryFolder();
    projects = temporary.path;
    packages = await buildPackages(built);
    return async () => {
      rmSync(built, { recursive: true, force: true });
      await temporary[Symbol.asyncDispose]();
    };
  });

  it.each(readyPackages().map(({ folder }) => folder))(
    '%s works without this repository, and its example prints what the README says',
    { timeout: 180_000 },
    async (name) => {
      const { path = '' } = packages.find(({ folder }) => folder === name) ?? {};
      const folder = join(projects, name);
      mkdirSync(folder);
      const place = join(folder, 'node_modules', '@wirebench', name);
      if (isLong || name === installed) {
        install(path, folder);
      } else {
        cpSync(path, place, { recursive: true });
      }
      const manifest = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
      expect(manifest.private).toBeUndefined();

      const readme = readFileSync(join(place, 'README.md'), 'utf8');
      expect(readme).toContain(`npm install @wirebench/${name}`);
      const code = blockOf(readme, 'js') ?? '';
      writeFileSync(join(folder, `${example}.mjs`), code);
      const program = run(node ?? '', [`${example}.mjs`], folder);
      expect(program).toEqual({ status: 0, stdout: blockOf(readme, 'text'), stderr: '' });

      const entries = importsOf(manifest).map((entry) => `await import('${entry}');\n`);
      writeFileSync(join(folder, 'entries.mjs'), entries.join(''));
      expect(run(node ?? '', ['entries.mjs'], folder)).toEqual({ status: 0, stdout: '', stderr: '' });

      writeFileSync(join(folder, `${example}.mts`), code);
      writeFileSync(join(folder, 'entries.mts'), `${entries.join('')}export {};\n`);
      expect(run(node ?? '', ['--version'], folder).stdout).toMatch(/^v20\./);
    },
  );

  it.each(firstUnlessLong(['nodenext', 'bundler']))(
    'example and entries compile when modules are resolved as %s',
    { timeout: 180_000 },
    (resolution) => expect(compile(resolution, projects)).toBe(''),
  );
});
