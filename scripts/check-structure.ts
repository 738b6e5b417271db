/**
 * `node scripts/check-structure.ts [root]`: checks import rules, cycles of files and of the server's features, hardware
 * access, class names and the wording of comments. Exits with code 1 on a finding.
 */
import { dirname, resolve } from 'node:path';
import { findForbiddenImports } from './structure/arrows.ts';
import { findCircles, findFeatureCircles } from './structure/circles.ts';
import { findClassFaults } from './structure/class-names.ts';
import { findUnclearComments } from './structure/comments.ts';
import { findHardwareAccess } from './structure/shape.ts';
import { readSources } from './structure/source-files.ts';

const root = resolve(process.argv[2] ?? dirname(import.meta.dirname));
const files = readSources(root);
const findings = [
  ...findForbiddenImports(files),
  ...findCircles(files),
  ...findFeatureCircles(files),
  ...findHardwareAccess(files),
  ...findUnclearComments(readSources(root, /\.(ts|tsx|js|mjs|css|c|h)$/)),
  ...findClassFaults(readSources(root, /^apps\/web\/src\/.*\.css$/), files),
];
for (const { path, problem } of findings) {
  console.error(`${path}: ${problem}`);
}
console.log(`Structure: ${findings.length} findings in ${files.length} files`);
process.exit(findings.length === 0 ? 0 : 1);
