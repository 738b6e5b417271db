/**
 * Builds `/polyfills.js` and `/polyfills.css`, and makes `theme.js`, which loads them in browsers that need them, as small as the
 * modules behind it. While developing there are no polyfills.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { bundleScript } from './bundle-script.ts';
import { cssFallbacks } from './css-fallbacks.ts';
import { editionConstants } from './edition.ts';

const source = fileURLToPath(new URL('src/entries/polyfills.ts', import.meta.url));

export function oldBrowsers(): Plugin {
  let folder = '';
  let theme = '';
  let constants: Record<string, string> = {};
  return {
    name: 'wirebench:old-browsers',
    apply: 'build',
    configResolved({ root, publicDir, base, mode, build: { outDir } }) {
      constants = editionConstants(base, mode);
      folder = resolve(root, outDir);
      theme = join(publicDir, 'theme.js');
    },
    // From the style sheets as they were written, and before the service worker's list of files is made.
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler() {
        const { css, has } = cssFallbacks(await builtSheets(join(folder, 'assets')));
        const script = await bundleScript(source, { ...constants, HAS_SELECTORS: JSON.stringify(has) });
        await writeFile(join(folder, 'polyfills.css'), css);
        await writeFile(join(folder, 'polyfills.js'), script);
        await writeFile(join(folder, 'theme.js'), await bundleScript(theme, {}));
      },
    },
  };
}

async function builtSheets(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.css')).sort();
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
}
