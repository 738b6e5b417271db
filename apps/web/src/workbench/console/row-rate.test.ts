import { describe, expect, it } from 'vitest';
import { RowRate } from './log-view.ts';

/** Returns the rates after updates with `rows` new rows each, `interval` milliseconds apart. */
function ratesOf(rows: number, interval: number, updates: number): number[] {
  const rate = new RowRate();
  return Array.from({ length: updates }, (_, index) => rate.add(rows, 1_000 + index * interval));
}

describe('rows in a paint step', () => {
  it('are those of lasting traffic, whatever the interval of its updates', () => {
    expect(ratesOf(8, 16, 200).at(-1)).toBeCloseTo(50, 0);
    expect(ratesOf(50, 100, 50).at(-1)).toBeCloseTo(50, 0);
  });

  it('do not jump with the output of one command', () => {
    expect(Math.max(...ratesOf(10, 16, 3))).toBeLessThan(8);
  });

  it('sink when the traffic ends', () => {
    const rate = new RowRate();
    for (let at = 0; at < 2_000; at += 16) {
      rate.add(8, at);
    }
    expect(rate.add(0, 2_400)).toBeLessThan(5);
  });
});
