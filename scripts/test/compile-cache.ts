/** Modules that many processes of the tests load are compiled once: a thread of the server starts in a third of the time. */
import { join } from 'node:path';
import { root } from '../build/web.ts';

/** For the processes and threads that are started from now on (https://nodejs.org/api/module.html#module-compile-cache). */
export function compileModulesOnce(): void {
  process.env.NODE_COMPILE_CACHE ??= join(root, '.cache', 'compiled-modules');
}
