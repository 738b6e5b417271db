/** `npm run typecheck`: checks every part under the compiler settings of the place where it runs. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './build/web.ts';

const projects = [
  'packages/tsconfig.json',
  'packages/tsconfig.node.json',
  'apps/server/tsconfig.json',
  'apps/remote-port/tsconfig.json',
  'apps/web/tsconfig.json',
  'apps/web/tsconfig.tests.json',
  'apps/web/tsconfig.worker.json',
  'tsconfig.json',
];

const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const failed = projects.filter(
  (project) => spawnSync(process.execPath, [tsc, '-p', project], { cwd: root, stdio: 'inherit' }).status !== 0,
);
console.log(`Types: ${failed.length} of ${projects.length} projects with errors`);
process.exit(failed.length === 0 ? 0 : 1);
