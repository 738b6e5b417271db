import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../build/web.ts';
import { docsPictures } from './docs-pictures.ts';

const docs = join(root, 'apps', 'web', 'src', 'pages', 'docs');
const folder = join(docs, 'pictures');
const names = Object.keys(docsPictures(''));
const files = names.flatMap((name) => [`${name}-dark.webp`, `${name}-light.webp`]);

/** Bytes. The service worker caches all pictures, so their sum counts too. */
const maxForOne = 90_000;
const maxForAll = 1_450_000;

describe('pictures of the documentation', () => {
  it('are there in both themes, each with its size, and no other file is', () => {
    expect(readdirSync(folder).sort()).toEqual([...files, 'sizes.json'].sort());
    expect(Object.keys(JSON.parse(readFileSync(join(folder, 'sizes.json'), 'utf8'))).sort()).toEqual([...names].sort());
  });

  it('are small', () => {
    const sizes = files.map((file) => statSync(join(folder, file)).size);
    expect(Math.max(...sizes)).toBeLessThan(maxForOne);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(maxForAll);
  });

  it('are shown, each once, with a text for those who do not see it', () => {
    const texts = readdirSync(docs, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md') && path !== 'README.md')
      .map((path) => readFileSync(join(docs, path), 'utf8'))
      .join('');
    const shown = [...texts.matchAll(/^!\[[^\]]{20,}\]\(picture:([\w-]+) "[^"]+"\)$/gm)].map(([, name]) => name);
    expect(shown.sort()).toEqual([...names].sort());
  });
});
