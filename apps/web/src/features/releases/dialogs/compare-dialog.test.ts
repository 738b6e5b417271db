import { expect, it } from 'vitest';
import { countText } from '../count-text.ts';
import { sizeChange } from './compare-dialog.tsx';

it.each([
  [1_000, 2_229, ' (+1.2 KB)'],
  [1_096, 1_000, ' (−96 B)'],
  [5, 5, ''],
  [null, 5, ''],
  [5, null, ''],
])('the change from %j to %j bytes is shown as %j', (before, after, text) => {
  expect(sizeChange(before, after)).toBe(text);
});

it('counts have a separator at thousands', () => {
  expect([412, 1_205, 1_000_000].map(countText)).toEqual(['412', '1\u2009205', '1\u2009000\u2009000']);
});
