import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { families, familyIds, specifiedModels } from '@wirebench/boards';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Text of a file, as one line. */
const read = (path: string) => readFileSync(join(root, path), 'utf8').replaceAll(/\s+/g, ' ');

const joined = (words: readonly string[]) => `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

describe('families in documents', () => {
  const names = familyIds.map((family) => families[family].name);

  it('are all in the first sentence of the README', () => {
    expect(read('README.md')).toContain(`flash ${joined(names)} boards`);
  });

  it.each(['packages/flash-button/README.md', 'docs/from-file-to-flash.md', 'docs/glossary.md'])(
    'are all named in %s',
    (path) => {
      const text = read(path);
      // Some name the chips, such as AVR, in place of the vendor.
      const missing = familyIds.filter(
        (family) => !text.includes(families[family].name) && !text.includes(family.toUpperCase()),
      );
      expect(missing).toEqual([]);
    },
  );

  it('have their documents in the table of the web app', () => {
    const [row = ''] = /\| `esp_flasher\.html`[^|]*\|/.exec(read('apps/web/README.md')) ?? [];
    expect([...row.matchAll(/`([^`]+)`/g)].map(([, name]) => `/${name}`)).toEqual(
      familyIds.map((family) => families[family].page),
    );
  });

  it('have their specified models in the rules', () => {
    const text = read('docs/behaviour.md');
    for (const [family, models] of Object.entries(specifiedModels)) {
      expect(text).toMatch(new RegExp(`Models of family \`${family}\`(, the default)?: ${models.join(', ')}\\.`));
    }
    expect(familyIds.filter((family) => !text.includes(`family \`${family}\``))).toEqual([]);
  });

  it('have their entries in the table of the flasher package', () => {
    const text = read('packages/flasher/README.md');
    const { exports } = JSON.parse(read('packages/flasher/package.json')) as { exports: Record<string, string> };
    const folders = Object.entries(exports).flatMap(([entry, file]) =>
      file.endsWith('/index.ts') && existsSync(join(root, 'packages/flasher', file, '../connect'))
        ? entry.slice(1)
        : [],
    );
    expect(folders).toHaveLength(familyIds.length);
    expect(folders.filter((folder) => !text.includes(`| \`${folder}\` |`))).toEqual([]);
  });
});

describe('documents of the web app', () => {
  it.each(familyIds)('have one for the flasher of %s, with its title', (family) => {
    const path = `apps/web${families[family].page}`;
    expect(existsSync(join(root, path))).toBe(true);
    expect(read(path)).toContain(`<title>${families[family].name} flasher: Wirebench</title>`);
  });
});
