import { expect, it } from 'vitest';
import { readLiteral } from './read-literal.ts';

it('reads source and flags up to the first slash that is neither escaped nor in brackets', () => {
  expect(readLiteral(String.raw`/a\/b[/\]]c/gi next`, 0)).toEqual({
    source: String.raw`a\/b[/\]]c`,
    flags: 'i',
    flagsStart: 12,
    end: 14,
  });
  expect(readLiteral('not /a b/us', 4)).toMatchObject({ source: 'a b', flags: 'su', end: 11 });
});

it('knows the flags g, i, s and u, each as often as it is typed', () => {
  expect(readLiteral('/a/iigsu', 0)).toMatchObject({ flags: 'isu' });
  expect(readLiteral('/a/m', 0)).toMatchObject({ flags: null, flagsStart: 3 });
});

it('reads nothing that is not closed, is empty, or does not begin there', () => {
  for (const text of ['/a', '//', '/a\\/', '/[/', 'a/b/']) {
    expect(readLiteral(text, 0)).toBeNull();
  }
});
