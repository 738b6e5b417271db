/** Compiles workspace packages to JavaScript and declarations for Node 20 and browsers of its age. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { root } from '../build/web.ts';
import { runNode } from '../test/step.ts';
import { publishedPackages } from './published.ts';

const packages = join(root, 'packages');

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Reads the manifest of a workspace package. */
export const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(packages, folder, 'package.json'), 'utf8'));

/** Returns the entries of a workspace package that may leave the repository, each with its file. */
export function publicEntries(folder: string): [entry: string, file: string][] {
  const internal = publishedPackages.find((published) => published.folder === folder)?.internal ?? [];
  return Object.entries(manifestOf(folder).exports).filter(([entry]) => !internal.includes(entry));
}

/** Returns the folders and those of all workspace packages that they depend on. */
function withDependencies(folders: readonly string[]): Set<string> {
  const all = new Set(folders);
  for (const folder of all) {
    for (const name of Object.keys(manifestOf(folder).dependencies ?? {})) {
      if (name.startsWith('@wirebench/')) {
        all.add(name.slice('@wirebench/'.length));
      }
    }
  }
  return all;
}

/**
 * Writes `<into>/<folder>/src/<file>.js` and `.d.ts` of every module that the packages' entries reach.
 *
 * @param into Folder inside the repository, whose `node_modules` the compiler finds from there. It is emptied.
 * @throws Error if the compiler reports a fault; its output is on the terminal.
 */
export async function emitPackages(folders: readonly string[], into: string): Promise<void> {
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  const entries = [...withDependencies(folders)].flatMap((folder) =>
    Object.entries(manifestOf(folder).exports).map(([entry, file]) => ({
      isPublic: publicEntries(folder).some(([name]) => name === entry),
      folder,
      name: `@wirebench/${folder}${entry.slice(1)}`,
      file: posix.join(relative(into, packages), folder, file),
    })),
  );
  const added = publishedPackages.flatMap((published) => Object.values(published.added ?? {}));
  // The compiler finds what these reach in other packages, such as the limits of the contract.
  const roots = entries.filter(
    ({ folder, name, isPublic }) => (folders.includes(folder) && isPublic) || added.includes(name),
  );
  const config = {
    extends: relative(into, join(root, 'tsconfig.base.json')),
    compilerOptions: {
      target: 'es2022',
      // The library of Node 20: the compiler refuses calls of anything newer.
      lib: ['es2023', 'esnext.disposable', 'webworker'],
      types: ['node', 'w3c-web-serial'],
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: relative(into, packages),
      outDir: '.',
      // Found through `node_modules`, these sources would count as foreign and might not be written.
      paths: Object.fromEntries(entries.map(({ name, file }) => [name, [file]])),
    },
    files: roots.map(({ file }) => file),
  };
  const project = join(into, 'tsconfig.json');
  writeFileSync(project, JSON.stringify(config));
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  if ((await runNode([tsc, '--checkers', '1', '-p', project])) !== 0) {
    throw new Error('The packages could not be compiled: read what the compiler says above.');
  }
}
