import { describe, expect, it } from 'vitest';
import { matchNames } from './named-files.ts';

const found = (paths: readonly string[], names: readonly string[], options = {}) =>
  matchNames(
    paths,
    names.map((name) => ({ name })),
    options,
  ).map((match) =>
    match.kind === 'found' ? match.file.name : match.kind === 'several' ? match.files.map(({ name }) => name) : null,
  );

describe('files that a list names', () => {
  it.each<[string, string[], string[], (string | string[] | null)[]]>([
    ['by their folders, in any order', ['a/x', 'b/x'], ['/tmp/b/x', '/tmp/a/x'], ['/tmp/a/x', '/tmp/b/x']],
    ['by their name alone if one file has it', ['certs/x'], ['elsewhere/x'], ['elsewhere/x']],
    ['by folders of another system', ['.\\a\\x', 'b/x'], ['c/b/x', 'c/a/x'], ['c/a/x', 'c/b/x']],
    ['by the path itself before others', ['x'], ['a/x', 'x'], ['x']],
    ['by the longest common end', ['one/a/x'], ['two/a/x', 'b/x'], ['two/a/x']],
    ['by what the others leave', ['a/x', 'x'], ['t/x', 't/a/x'], ['t/a/x', 't/x']],
    ['as missing if another path has their only file', ['a/x', 'b/x'], ['a/x'], ['a/x', null]],
    ['as missing without their name', ['a/x'], ['a/y'], [null]],
    [
      'as open if folders do not tell',
      ['a/x', 'b/x'],
      ['one/x', 'two/x'],
      [
        ['one/x', 'two/x'],
        ['one/x', 'two/x'],
      ],
    ],
    ['as open if two files have their name', ['x'], ['a/x', 'b/x'], [['a/x', 'b/x']]],
    ['as open if one file stands for two paths', ['a/x', 'b/x'], ['x'], [['x'], ['x']]],
    ['as open for files of one name without folders', ['a/x'], ['x', 'x'], [['x', 'x']]],
  ])('are found %s', (_how, paths, names, expected) => {
    expect(found(paths, names)).toEqual(expected);
  });

  it('may be named several times, and by a shorter path, only if they are shared', () => {
    expect(found(['x', 'x', 'a/x'], ['x'])).toEqual(['x', null, null]);
    expect(found(['x', 'x', 'a/x'], ['x'], { isShared: true })).toEqual(['x', 'x', 'x']);
    expect(found(['a/x', 'b/x'], ['a/x'], { isShared: true })).toEqual(['a/x', null]);
  });

  it('follow from the fewest folders only on request', () => {
    expect(found(['x'], ['build/deep/x', 'build/x'])).toEqual([['build/deep/x', 'build/x']]);
    expect(found(['x'], ['build/deep/x', 'build/x'], { prefersShallow: true })).toEqual(['build/x']);
    expect(found(['x'], ['one/x', 'two/x'], { prefersShallow: true })).toEqual([['one/x', 'two/x']]);
  });

  it('are one file if their contents are the same', () => {
    expect(found(['x'], ['one/x', 'two/x'], { isSame: () => true })).toEqual(['one/x']);
  });
});
