import { expect, it } from 'vitest';
import { pictureOf } from './picture.ts';

it('gives each curve a series over the times of all of them, with nothing where it has no number', () => {
  const curves = [
    { times: [1_000, 1_020], values: [1, 1.5] },
    { times: [1_005], values: [2] },
  ];
  const { window, from, to } = pictureOf(curves, 1_020, 1_000);
  expect([from, to]).toEqual([20, 1_020]);
  expect([...(window?.times ?? [])]).toEqual([1_000, 1_005, 1_020]);
  expect(window?.series.map(({ values }) => [...values])).toEqual([
    [1, Number.NaN, 1.5],
    [Number.NaN, 2, Number.NaN],
  ]);
  expect([...(pictureOf(curves, 1_020, 10).window?.times ?? [])]).toEqual([1_020]);
});
