/**
 * Links and paths in Markdown files that lead to other files of the repository. A moved file leaves them behind, and no
 * compiler reports it.
 */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { Finding } from './arrows.ts';
import { isOurs, type SourceFile } from './source-files.ts';

const link = /\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g;
const hasScheme = /^[a-z]+:/i;

/**
 * Returns links that lead to no file or folder below `root`. Anchors and addresses with a scheme are not checked.
 *
 * @param files Markdown files.
 */
export function findDeadLinks(root: string, files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(link)]
      .map(([, target = '']) => target)
      .filter((target) => !hasScheme.test(target) && !existsSync(join(root, dirname(path), target)))
      .map((target) => ({ path, problem: `the link leads to no file: ${target}` })),
  );
}

const codeSpan = /`([^`\n]+)`/g;
const blocks = /^```[\s\S]*?^```/gm;
const pathWord = /^[\w.@-]+(?:\/[\w.@-]+)*\/?$/;
/** Ends of the names of sources. A name without a folder is a path if it has one of them. */
const sourceName = /^[\w@-][\w.@-]*\.(?:ts|tsx|mts|css)$/;
const fileName = /\.(?:ts|tsx|mts|css|md|mjs|js|html|json|ya?ml|sql|c|h|py|sh)$/;
/** Names of files that a recipe tells the reader to write. */
const exampleName = /(?:^|\/)(?:xyz|x|kiss|tek-hex|esp32x1|tfmini|use-echoes)(?=[-./]|$)/;

/**
 * Returns paths in backticks that are the end of no path of the repository: files and folders, also within a command.
 * Blocks of code, and files that a recipe tells the reader to write, are not checked.
 *
 * @param files Markdown files. A list of changes may name files that are gone.
 */
export function findStalePaths(root: string, files: readonly SourceFile[]): Finding[] {
  const known = pathsBelow(root);
  const tops = new Set([...known].map((path) => path.split('/')[0] ?? ''));
  const ends = new Set([...known].flatMap((path) => path.split('/').map((_, at, names) => names.slice(at).join('/'))));
  const isPath = (word: string) => {
    const [top = ''] = word.split('/');
    const isVariable = /^[A-Z][A-Z_]*$/.test(top) && !tops.has(top);
    const isFolder = /\/.*\/$/.test(word);
    return word.includes('/')
      ? !isVariable && (tops.has(top) ? word !== `${top}/` || isFolder : fileName.test(word) || isFolder)
      : sourceName.test(word);
  };
  return files
    .filter(({ path }) => path !== 'CHANGELOG.md')
    .flatMap(({ path, text }) =>
      [...text.replaceAll(blocks, '').matchAll(codeSpan)]
        .flatMap(([, code = '']) => code.split(/\s+/))
        .map((word) => word.replace(/^\.\//, ''))
        .filter((word) => pathWord.test(word) && isPath(word) && !exampleName.test(word))
        .filter((word) => !ends.has(word.replace(/\/$/, '')) && !existsSync(join(root, dirname(path), word)))
        .map((word) => ({ path, problem: `the path leads to no file: ${word}` })),
    );
}

/** Returns the files and folders below a folder, with `/`. */
function pathsBelow(root: string): ReadonlySet<string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
  return new Set(paths.filter(isOurs));
}

const vitestRun = /npx vitest run ([^`\n]+)/g;

/**
 * Returns filters of Vitest commands in Markdown that select no test. Vitest reports success if one of several filters
 * finds a file, so a recipe would run less than it says.
 *
 * @param files Markdown files. @param tests Paths of all tests.
 */
export function findDeadFilters(files: readonly SourceFile[], tests: readonly string[]): Finding[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(vitestRun)]
      // The rest of a command after an option with a value, such as `-t`, is not a path.
      .flatMap(([, words = '']) => words.split(/\s+-/)[0]?.split(/\s+/) ?? [])
      .filter((word) => word !== '' && !word.startsWith('<') && !word.startsWith('-'))
      .filter((word) => !tests.some((test) => test.includes(word.replace(/\/$/, ''))))
      .map((word) => ({ path, problem: `the filter selects no test: ${word}` })),
  );
}
