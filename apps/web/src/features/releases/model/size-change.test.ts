import { expect, it } from 'vitest';
import { countText } from './count-text.ts';
import { sizeChange } from './size-change.ts';

it.each([
  [1_000, 2_229, ' (+1.2 KB)'],
  [1_096, 1_000, ' (−96 B)'],
  [5, 5, ''],
  [null, 5, ''],
  [5, null, ''],
])('from %j to %j bytes is told as %j', (before, after, text) => {
  expect(sizeChange(before, after)).toBe(text);
});

it('counts have their thousands apart', () => {
  expect([412, 1_205, 1_000_000].map(countText)).toEqual(['412', '1\u2009205', '1\u2009000\u2009000']);
});
