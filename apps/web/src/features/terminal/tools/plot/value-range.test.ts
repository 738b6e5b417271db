import { describe, expect, it } from 'vitest';
import { emptyGrowing, grownRange, laneScale, ownRange, readRange, zoomedRange } from './value-range.ts';

describe('scale of a lane', () => {
  // The margin is 8 % of the values' range above and below.
  it('follows the shown values without a range', () => {
    expect(laneScale(null, { low: 0, high: 100 })).toEqual({ low: -8, high: 108 });
  });

  it('is the own range, whatever is shown', () => {
    expect(laneScale({ kind: 'own', low: 20, high: 30 }, { low: 0, high: 100 })).toEqual({ low: 20, high: 30 });
  });

  it('grows with the shown values and never shrinks', () => {
    const first = grownRange(emptyGrowing, { low: 10, high: 20 });
    expect(first).toEqual({ kind: 'grows', low: 10, high: 20 });
    const second = grownRange(first, { low: 15, high: 110 });
    expect(second).toEqual({ kind: 'grows', low: 10, high: 110 });
    expect(grownRange(second, { low: 40, high: 50 })).toBe(second);
    expect(laneScale(second, { low: 40, high: 50 })).toEqual({ low: 2, high: 118 });
  });

  it('stays while nothing is shown', () => {
    const nothing = { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY };
    expect(grownRange(emptyGrowing, nothing)).toBe(emptyGrowing);
    expect(laneScale(emptyGrowing, nothing)).toEqual({ low: 0, high: 1 });
  });
});

describe('zoom of values', () => {
  it('keeps the value at the pointer in its place', () => {
    // 25 is a quarter above the lower end, before and after.
    expect(zoomedRange({ low: 0, high: 100 }, 0.5, 0.25)).toEqual({ kind: 'own', low: 12.5, high: 62.5 });
    expect(zoomedRange({ low: 12.5, high: 62.5 }, 2, 0.25)).toEqual({ kind: 'own', low: 0, high: 100 });
  });

  it('ends where numbers end', () => {
    expect(zoomedRange({ low: 1e6, high: 1e6 + 1e-7 }, 0.5)).toBeNull();
    expect(zoomedRange({ low: -1e300, high: 1e300 }, 1.25)).toBeNull();
  });
});

describe('ends that a person gives', () => {
  it.each([
    ['20', '30.5', { kind: 'own', low: 20, high: 30.5 }],
    ['−1,5', '0', { kind: 'own', low: -1.5, high: 0 }],
    ['30', '20', 'Enter a lower number first, then a higher one.'],
    ['20', '20', 'Enter a lower number first, then a higher one.'],
    ['', '30', 'Enter two numbers, such as 20 and 30.5.'],
    ['1', 'x', 'Enter two numbers, such as 20 and 30.5.'],
  ])('are read from "%s" and "%s"', (from, to, read) => {
    expect(readRange(from, to)).toEqual(read);
  });

  it('are refused where they are not finite', () => {
    expect(ownRange(0, Number.POSITIVE_INFINITY)).toBeNull();
    expect(ownRange(Number.NaN, 1)).toBeNull();
  });
});
