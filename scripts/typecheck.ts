/** `npm run typecheck`: checks every part under the compiler settings of the place where it runs. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { root } from './build/web.ts';
import { runNode } from './test/step.ts';

/** Those that take long first. */
const projects = [
  'apps/web/tsconfig.tests.json',
  'tsconfig.json',
  'apps/server/tsconfig.json',
  'apps/web/tsconfig.json',
  'apps/remote-port/tsconfig.json',
  'packages/tsconfig.node.json',
  'packages/tsconfig.json',
  'apps/web/tsconfig.worker.json',
];

const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

const waiting = projects.values();
const failed: string[] = [];

/** One project after the other, of those that nobody has begun. */
async function work(): Promise<void> {
  for (const project of waiting) {
    // With one thread: several that check one project do some of the work several times.
    if ((await runNode([tsc, '--checkers', '1', '-p', project])) !== 0) {
      failed.push(project);
    }
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
console.log(`Types: ${failed.length} of ${projects.length} projects with errors`);
process.exit(failed.length === 0 ? 0 : 1);
