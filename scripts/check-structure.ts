/**
 * `node scripts/check-structure.ts [root]`: checks import rules, cycles of files and of the server's features, access
 * to hardware and document, dates of the clock, comparisons with families of chips, mocks of modules, random inputs of tests, small files, class names, the
 * wording of comments and test names, links and paths in Markdown, and versions and descriptions of dependencies. Exits
 * with code 1 on a finding.
 */
import { dirname, resolve } from 'node:path';
import { findForbiddenImports } from './structure/arrows.ts';
import { findCircles, findFeatureCircles } from './structure/circles.ts';
import { findClassFaults } from './structure/class-names.ts';
import { findUnclearComments, findUnclearNames } from './structure/comments.ts';
import { findDependencyFaults } from './structure/dependencies.ts';
import { findDeadFilters, findDeadLinks, findStalePaths } from './structure/links.ts';
import { findRandomSources } from './structure/random-sources.ts';
import {
  findDatedWaits,
  findDocumentAccess,
  findFamilyComparisons,
  findHardwareAccess,
  findModuleMocks,
} from './structure/shape.ts';
import { findSmallFiles } from './structure/small-files.ts';
import { readSources } from './structure/source-files.ts';

const root = resolve(process.argv[2] ?? dirname(import.meta.dirname));
const sources = readSources(root, /\.(ts|tsx|js|mjs|css|c|h|md)$|(^|\/)package\.json$/);
const matching = (pattern: RegExp) => sources.filter(({ path }) => pattern.test(path));
const files = matching(/\.(ts|tsx|js|mjs)$/);
const findings = [
  ...findForbiddenImports(files),
  ...findCircles(files),
  ...findFeatureCircles(files),
  ...findHardwareAccess(files),
  ...findDocumentAccess(files),
  ...findDatedWaits(files),
  ...findFamilyComparisons(files),
  ...findModuleMocks(files),
  ...findRandomSources(files),
  ...findSmallFiles(files, matching(/(^|\/)package\.json$/)),
  ...findDeadLinks(root, matching(/\.md$/)),
  ...findStalePaths(root, matching(/\.md$/)),
  ...findDeadFilters(
    matching(/\.md$/),
    files.map(({ path }) => path).filter((path) => /\.test\.tsx?$/.test(path)),
  ),
  ...findDependencyFaults(
    matching(/(^|\/)package\.json$/),
    sources.find(({ path }) => path === 'docs/dependencies.md'),
  ),
  ...findUnclearComments(matching(/\.(ts|tsx|js|mjs|css|c|h)$/)),
  ...findUnclearNames(matching(/\.(test|spec)\.tsx?$/)),
  ...findClassFaults(matching(/^apps\/web\/src\/.*\.css$/), files),
];
for (const { path, problem } of findings) {
  console.error(`${path}: ${problem}`);
}
console.log(`Structure: ${findings.length} findings in ${files.length} files`);
process.exit(findings.length === 0 ? 0 : 1);
