/** Compiles modules once for the many processes of the tests. A server thread then starts in a third of the time. */
import { join } from 'node:path';
import type { Plugin } from 'vitest/config';
import { root } from '../build/web.ts';

/**
 * Enables the cache for processes and threads started from now on
 * (https://nodejs.org/api/module.html#module-compile-cache).
 */
export function compileModulesOnce(): void {
  process.env.NODE_COMPILE_CACHE ??= join(root, '.cache', 'compiled-modules');
}

/**
 * Keeps modules that plugins make from other files out of Vitest's cache on the disk. It knows a module by its name
 * and the file of that name, so a changed chapter of a guide would go on as it was.
 */
export const freshGuides: Plugin = {
  name: 'wirebench:fresh-guides',
  configureVitest: ({ defineCacheKeyGenerator }) =>
    defineCacheKeyGenerator(({ id }) => (/\.md\?guide$|^\0virtual:/.test(id) ? false : null)),
};
