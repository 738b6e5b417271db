/** Which files are the project's own sources, and what each of them imports. Knows no rule about either. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';

const notOurs = new Set(['node_modules', 'dist', 'data', '.git', '.cache', 'test-results', 'playwright-report']);

export interface SourceFile {
  /** Path from the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** All TypeScript and JavaScript sources under `root`. */
export function readSources(root: string): SourceFile[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|js|mjs)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.split('/').some((part) => notOurs.has(part)))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

const importForms = [
  /\bfrom\s*['"]([^'"]+)['"]/g,
  /\bimport\s*\(\s*['"]([^'"]+)['"]/g,
  /^\s*import\s*['"]([^'"]+)['"]/gm,
  /\bnew URL\(\s*['"]([^'"]+\.[jt]sx?)['"]\s*,\s*import\.meta\.url/g,
];

/**
 * What `file` imports: paths from the root for relative imports, specifiers as they are for everything else.
 * Finds static and dynamic imports, re-exports, type imports and the URLs of workers.
 */
export function importsOf(file: SourceFile): string[] {
  const code = file.text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
  const specifiers = importForms.flatMap((form) => [...code.matchAll(form)].map((match) => match[1] ?? ''));
  return [...new Set(specifiers)].map((specifier) =>
    specifier.startsWith('.') ? posix.join(dirname(file.path), specifier) : specifier,
  );
}

export const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path) || path.includes('/testing/');
