/** `npm run typecheck`: checks every part under the compiler settings of the place where it runs. */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from './build/web.ts';

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

/** With one thread: several that check one project do some of the work several times. */
async function isSound(project: string): Promise<boolean> {
  const child = spawn(process.execPath, [tsc, '--checkers', '1', '-p', project], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  const [said, code] = await Promise.all([text(child.stdout), ended]);
  process.stdout.write(said);
  return code === 0;
}

const waiting = projects.values();
const failed: string[] = [];

/** One project after the other, of those that nobody has begun. */
async function work(): Promise<void> {
  for (const project of waiting) {
    if (!(await isSound(project))) {
      failed.push(project);
    }
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
console.log(`Types: ${failed.length} of ${projects.length} projects with errors`);
process.exit(failed.length === 0 ? 0 : 1);
