import { expect, it } from 'vitest';
import { valueAt } from './plot-chart.ts';

it.each([
  [[1, undefined, 2], 1, 1],
  [[1, undefined, undefined], 2, 1],
  [[1, undefined, null, 2], 1, null],
  [[1, null, undefined, 2], 2, null],
  [[1, null, 2], 2, 2],
  [[undefined, undefined], 1, null],
] as const)('points at the newest value of %j at place %i, and at none in a gap', (column, place, value) => {
  expect(valueAt(column, place)).toBe(value);
});
