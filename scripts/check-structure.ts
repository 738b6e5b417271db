/** `node scripts/check-structure.ts [root]`: import arrows, file lengths and hardware access. Exit code 1 on a finding. */
import { dirname, resolve } from 'node:path';
import { findForbiddenImports } from './structure/arrows.ts';
import { findHardwareAccess, findLongFiles } from './structure/shape.ts';
import { readSources } from './structure/source-files.ts';

const files = readSources(resolve(process.argv[2] ?? dirname(import.meta.dirname)));
const findings = [...findForbiddenImports(files), ...findLongFiles(files), ...findHardwareAccess(files)];
for (const { path, problem } of findings) {
  console.error(`${path}: ${problem}`);
}
console.log(`Structure: ${findings.length} findings in ${files.length} files`);
process.exit(findings.length === 0 ? 0 : 1);
