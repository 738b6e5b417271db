/**
 * Makes the index of the documentation's search, `virtual:docs-passages`: what the guides say, under which heading.
 * The build runs the modules of the guides, because their values and tables come from code.
 */
import { join } from 'node:path';
import { type Plugin, runnerImport } from 'vite';
import { edition } from './edition.ts';
import { guideTexts } from './guide-texts.ts';
import type { DocsPassage } from './src/pages/docs/docs-search.ts';

const id = 'virtual:docs-passages';
const source = join(import.meta.dirname, 'src', 'pages', 'docs', 'docs-index.ts');

/** Facts of `wirebench.tgz`, which is packed while this runs. The search does not look for its size or hash. */
const programFacts: Plugin = {
  name: 'wirebench:no-program-facts',
  resolveId: (name) => (name === 'virtual:wirebench-program' ? `\0${name}` : undefined),
  load: (name) =>
    name === '\0virtual:wirebench-program'
      ? "export const program = { version: '…', size: '…', sha256: '…' };"
      : undefined,
};

export function docsSearch(): Plugin {
  let base = '/';
  let mode = 'production';
  return {
    name: 'wirebench:docs-search',
    configResolved(config) {
      ({ base, mode } = config);
    },
    resolveId: { filter: { id: /^virtual:docs-passages$/ }, handler: () => `\0${id}` },
    load: {
      filter: { id: /^\0virtual:docs-passages$/ },
      async handler() {
        const { module, dependencies } = await runnerImport<{ readonly passages: readonly DocsPassage[] }>(source, {
          configFile: false,
          root: import.meta.dirname,
          base,
          mode,
          logLevel: 'error',
          plugins: [edition(), guideTexts(), programFacts],
        });
        for (const file of dependencies) {
          this.addWatchFile(file);
        }
        return { code: `export const passages = ${JSON.stringify(module.passages)};`, moduleType: 'js' };
      },
    },
  };
}
