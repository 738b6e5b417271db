/** Links of Markdown files to other files of the repository. A moved file leaves links behind that no compiler reports. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Finding } from './arrows.ts';
import type { SourceFile } from './source-files.ts';

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
