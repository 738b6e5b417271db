import { describe, expect, it } from 'vitest';
import { paintStep, RowRate, untilStep } from './paint-step.ts';

describe('paint step', () => {
  it('leads from any time to a step', () => {
    for (const now of [0, 1, 49.5, 50, 99.9, 1_763_751_234_567.25]) {
      expect((now + untilStep(now)) % paintStep).toBe(0);
      expect(untilStep(now)).toBeGreaterThanOrEqual(paintStep / 2);
    }
  });

  it('stays in step when a timer fires a little late or early', () => {
    expect(untilStep(1_008)).toBe(92);
    expect(untilStep(999.5)).toBe(100.5);
  });

  it('is at once on a step when nothing is waited for', () => {
    expect(untilStep(1_000, 0)).toBe(0);
    expect(untilStep(1_001, 0)).toBe(99);
  });
});

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
