import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findPackage, type LoadFiles, packageIndex } from './find-package.ts';

const short = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);
const place = (text: string) => `${packageIndex}/file/${short(text).slice(0, 2)}/${short(text)}`;
const described = (name: string, version: string) => `${packageIndex}/package/py/${name}/${version}.json`;

/** Loads from a table of texts by address. */
const from =
  (texts: Readonly<Record<string, string>>): LoadFiles =>
  async (files) =>
    files.map(({ address }) => {
      const text = texts[address];
      if (text === undefined) {
        throw new Error(`404 ${address}`);
      }
      return new Blob([text]);
    });

const facts = (hashes: readonly (readonly [string, string])[], more: object = {}) =>
  JSON.stringify({ v: 1, version: '1.2', hashes, ...more });

describe('a package of micropython-lib', () => {
  it('is found with the packages that it needs, each once', async () => {
    const load = from({
      [described('one', 'latest')]: facts([['one/__init__.py', short('1')]], { deps: [['two', '0.5']] }),
      [described('two', '0.5')]: facts([['two.py', short('2')]], { deps: [['one', 'latest']], version: '0.5' }),
      [place('1')]: '1',
      [place('2')]: '2',
    });
    const { packages, files } = await findPackage('one', '', load);
    expect(packages).toEqual(['one 1.2', 'two 0.5']);
    expect(files.map(({ path, content }) => [path, new TextDecoder().decode(content)])).toEqual([
      ['/lib/one/__init__.py', '1'],
      ['/lib/two.py', '2'],
    ]);
  });

  it('is refused if a file is another one than the index says', async () => {
    const load = from({ [described('one', '1.2')]: facts([['one.py', short('1')]]), [place('1')]: 'cut' });
    await expect(findPackage('one', '1.2', load)).rejects.toThrow('one.py arrived with another content');
  });

  it.each([
    ['a path that leaves the folder', facts([['../boot.py', short('1')]])],
    ['an absolute path', facts([['/main.py', short('1')]])],
    ['files at other hosts', facts([], { urls: [['one.py', 'https://example.com/one.py']] })],
    ['another version of the format', JSON.stringify({ v: 3, hashes: [] })],
    ['no JSON', '<html>'],
  ])('is refused with %s', async (_, text) => {
    const load = from({ [described('one', 'latest')]: text, [place('1')]: '1' });
    await expect(findPackage('one', '', load)).rejects.toThrow('in a way that is not known here');
  });

  it('is not asked for by a name that is not one', async () => {
    const load: LoadFiles = () => Promise.reject(new Error('asked'));
    await expect(findPackage('../x', '', load)).rejects.toThrow('Names and versions of packages');
    await expect(findPackage('x', '1/2', load)).rejects.toThrow('Names and versions of packages');
  });
});
