/** Lists the project's own sources and their imports, for the rules. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';

const notOurs = new Set(['node_modules', 'dist', 'data', '.git', '.cache', 'test-results', 'playwright-report']);

/** Returns false for what is installed, built or left by tests. */
export const isOurs = (path: string): boolean => !path.split('/').some((part) => notOurs.has(part));

export interface SourceFile {
  /** Path from the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Reads all files under `root` whose path matches `wanted`; by default TypeScript and JavaScript. */
export function readSources(root: string, wanted = /\.(ts|tsx|js|mjs)$/): SourceFile[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => wanted.test(path) && isOurs(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

const importForms = [
  /\bfrom\s*['"]([^'"]+)['"]/g,
  /\bimport\s*\(\s*['"]([^'"]+)['"]/g,
  /^\s*import\s*['"]([^'"]+)['"]/gm,
];

const workerForm = /\bnew URL\(\s*['"]([^'"]+\.[jt]sx?)['"]\s*,\s*import\.meta\.url/g;

/**
 * Returns the imports of `file`: paths from the root for relative imports, unchanged specifiers for others. Finds
 * static and dynamic imports, re-exports and type imports.
 */
export function importsOf(file: SourceFile): string[] {
  return targetsOf(file, importForms);
}

/** Returns the imports of `file` and the workers that it starts. */
export function importsAndWorkersOf(file: SourceFile): string[] {
  return targetsOf(file, [...importForms, workerForm]);
}

function targetsOf(file: SourceFile, forms: readonly RegExp[]): string[] {
  const code = file.text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
  const specifiers = forms.flatMap((form) => [...code.matchAll(form)].map((match) => match[1] ?? ''));
  return [...new Set(specifiers)].map((specifier) =>
    specifier.startsWith('.') ? posix.join(dirname(file.path), specifier) : specifier,
  );
}

export const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path) || path.includes('/testing/');
