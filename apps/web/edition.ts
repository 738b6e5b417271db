/** Constants of the build that say which edition it is and in which folder of its host it will be. */
import type { Plugin } from 'vite';

/** Vite's mode of the static edition (`npm run build:static`). */
const staticMode = 'static';

/** True: builds the static edition, which has no server behind it. */
export const isStaticEdition = (mode: string): boolean => mode === staticMode;

/**
 * Sets the constants that the sources read: `BASE_PATH` (packages/boards/src/pages.ts) and `STATIC_EDITION`
 * (src/shared/edition.ts).
 */
export function edition(): Plugin {
  return {
    name: 'wirebench:edition',
    config: ({ base = '/' }, { mode }) => ({ define: editionConstants(base, mode) }),
  };
}

/**
 * Returns the constants by name, as JavaScript.
 *
 * @param base Vite's base: a path that begins and ends with a slash.
 */
export function editionConstants(base: string, mode: string): Record<string, string> {
  return {
    BASE_PATH: JSON.stringify(base.replace(/\/$/, '')),
    STATIC_EDITION: String(isStaticEdition(mode)),
  };
}
