/**
 * `node scripts/check-structure.ts [root]`: checks import rules, cycles of files and of the server's features, access
 * to hardware and document, class names, the wording of comments and links in Markdown. Exits with code 1 on a finding.
 */
import { dirname, resolve } from 'node:path';
import { findForbiddenImports } from './structure/arrows.ts';
import { findCircles, findFeatureCircles } from './structure/circles.ts';
import { findClassFaults } from './structure/class-names.ts';
import { findUnclearComments } from './structure/comments.ts';
import { findDeadLinks } from './structure/links.ts';
import { findDocumentAccess, findHardwareAccess } from './structure/shape.ts';
import { readSources } from './structure/source-files.ts';

const root = resolve(process.argv[2] ?? dirname(import.meta.dirname));
const sources = readSources(root, /\.(ts|tsx|js|mjs|css|c|h|md)$/);
const matching = (pattern: RegExp) => sources.filter(({ path }) => pattern.test(path));
const files = matching(/\.(ts|tsx|js|mjs)$/);
const findings = [
  ...findForbiddenImports(files),
  ...findCircles(files),
  ...findFeatureCircles(files),
  ...findHardwareAccess(files),
  ...findDocumentAccess(files),
  ...findDeadLinks(root, matching(/\.md$/)),
  ...findUnclearComments(matching(/\.(ts|tsx|js|mjs|css|c|h)$/)),
  ...findClassFaults(matching(/^apps\/web\/src\/.*\.css$/), files),
];
for (const { path, problem } of findings) {
  console.error(`${path}: ${problem}`);
}
console.log(`Structure: ${findings.length} findings in ${files.length} files`);
process.exit(findings.length === 0 ? 0 : 1);
