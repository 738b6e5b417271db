/** `npm run typecheck`: checks every part with the compiler settings of the environment in which it runs. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { root } from './build/web.ts';
import { runNode } from './test/step.ts';

/** Sorted by duration, longest first. */
const projects = [
  'apps/web/tsconfig.tests.json',
  'tsconfig.json',
  'apps/server/tsconfig.json',
  'apps/web/tsconfig.json',
  'apps/cli/tsconfig.json',
  'packages/tsconfig.node.json',
  'packages/flash-button/tsconfig.json',
  'packages/tsconfig.json',
  'apps/web/tsconfig.worker.json',
];

const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

const waiting = projects.values();
const failed: string[] = [];

/** Checks projects from the shared iterator until it is empty. */
async function work(): Promise<void> {
  for (const project of waiting) {
    // Uses one thread, because several threads of one project repeat some work.
    if ((await runNode([tsc, '--checkers', '1', '-p', project])) !== 0) {
      failed.push(project);
    }
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
console.log(`Types: ${failed.length} of ${projects.length} projects with errors`);
process.exit(failed.length === 0 ? 0 : 1);
