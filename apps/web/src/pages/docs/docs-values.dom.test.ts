import { describe, expect, it } from 'vitest';
import { compileGuide, guideFolders } from '../../../guide-texts.ts';
import type { GuideName } from './docs-links.ts';
import type { DocsDocument } from './docs-model.ts';
import { esp32Document } from './esp32/esp32-document.ts';
import { flasherDocument } from './flasher/flasher-document.ts';
import { programsDocument } from './programs/programs-document.ts';
import { releasesDocument } from './releases/releases-document.ts';
import { terminalDocument } from './terminal/terminal-document.ts';

const documents = {
  terminal: terminalDocument,
  flasher: flasherDocument,
  releases: releasesDocument,
  esp32: esp32Document,
  programs: programsDocument,
} satisfies Record<GuideName, DocsDocument>;

const guides = Object.entries(documents).map(([name, document]) => ({
  document,
  compiled: compileGuide(guideFolders[name] ?? '', 'server'),
}));

describe('values in the Markdown of the guides', () => {
  it('all exist', () => {
    const missing = guides.flatMap(({ document, compiled }) => [
      ...compiled.values.filter(({ name }) => !Object.hasOwn(document.values, name)),
      ...compiled.rows.filter(({ name }) => !Object.hasOwn(document.rows, name)),
    ]);
    expect(missing.map(({ name, place }) => `${place}: no value is called ${name}`)).toEqual([]);
    expect(guides.flatMap(({ compiled }) => compiled.values).length).toBeGreaterThan(50);
  });

  it('are all used by a guide', () => {
    const used = new Set(
      guides.flatMap(({ compiled }) => [...compiled.values, ...compiled.rows]).map(({ name }) => name),
    );
    const known = guides.flatMap(({ document }) => [...Object.keys(document.values), ...Object.keys(document.rows)]);
    expect(known.filter((name) => !used.has(name))).toEqual([]);
  });
});
