/**
 * Files that are too small for a name of their own (docs/architecture.md, "Import rules"): a file of under 100 lines
 * that a single file of the same folder reads stands in that file, as long as the two together can be read in one go.
 */
import { dirname, posix } from 'node:path';
import type { Finding } from './arrows.ts';
import { importsOf, isTest, type SourceFile } from './source-files.ts';

/** Lines from which a file deserves a name with a single reader, too. */
const OWN_NAME = 100;
/** Lines that are read in one go. Two files that have more together stay two. */
const ONE_GO = 400;

/** Small files that keep a name of their own, by path, each with the reason. */
const exceptions: readonly (readonly [RegExp, string])[] = [
  [/\/(index|main|cli)\.ts$|\.config\.ts$/, 'entries'],
  [/\.lazy\.tsx?$|[-.]worker\.ts$|\.d\.ts$/, 'parts that are loaded on their own, threads, and types of others'],
  [/\.(routes|service|repository)\.ts$|\/migrations\//, 'layers and versions of the server'],
  [/\/sqlite-calls\.ts$/, 'code of a thread, which tests run without the thread'],
  [/-store\.ts$/, 'stores, which outlive the component that shows them'],
  [/\/polyfills\//, 'each is loaded only where a browser lacks it'],
  [
    /(chips|decoders|jkits)\/library\/|frames\/src\/steps\/|serial\/src\/framing\/|symbols\/src\/unwind\/|symbols\/src\/panic\/\w+-rules/,
    'one of a row of equals',
  ],
];

/** Forms by which a file is used as more than a list of names. */
const otherUses = [
  /\bexport\s[^;]*?\sfrom\s*['"]([^'"]+)['"]/g,
  /\bimport\s*\(\s*['"]([^'"]+)['"]/g,
  /\bnew URL\(\s*['"]([^'"]+)['"]/g,
  /\bimport\s+\*\s+as\s[^;]*?\sfrom\s*['"]([^'"]+)['"]/g,
];

const linesOf = (text: string) => text.split('\n').length - 1;

/** Returns the paths of the files that the manifests export. */
function exportedFiles(manifests: readonly SourceFile[]): string[] {
  return manifests.flatMap(({ path, text }) => {
    const { exports = {} } = JSON.parse(text) as { readonly exports?: Readonly<Record<string, string>> };
    return Object.values(exports).map((file) => posix.join(dirname(path), file));
  });
}

/** @param manifests Every `package.json`. */
export function findSmallFiles(files: readonly SourceFile[], manifests: readonly SourceFile[]): Finding[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const readers = new Map<string, Set<string>>();
  const kept = new Set(exportedFiles(manifests));
  for (const file of files) {
    for (const target of isTest(file.path) ? [] : importsOf(file)) {
      readers.set(target, (readers.get(target) ?? new Set()).add(file.path));
    }
    for (const form of otherUses) {
      for (const [, specifier = ''] of file.text.matchAll(form)) {
        kept.add(posix.join(dirname(file.path), specifier));
      }
    }
  }
  return files.flatMap((file) => {
    const { path, text } = file;
    const [reader, ...others] = readers.get(path) ?? [];
    const host = reader === undefined ? undefined : byPath.get(reader);
    const isKept =
      !/^(apps|packages)\/[\w-]+\/src\//.test(path) ||
      isTest(path) ||
      kept.has(path) ||
      exceptions.some(([pattern]) => pattern.test(path)) ||
      text.includes(".module.css'") ||
      (path.endsWith('.tsx') && host?.path.endsWith('.ts'));
    if (isKept || host === undefined || others.length > 0 || dirname(host.path) !== dirname(path)) {
      return [];
    }
    const isSmall = linesOf(text) < OWN_NAME && linesOf(text) + linesOf(host.text) <= ONE_GO;
    return isSmall && !/\/(index|main)\.ts$/.test(host.path)
      ? [{ path, problem: `has ${linesOf(text)} lines and one reader: it stands in ${host.path}` }]
      : [];
  });
}
