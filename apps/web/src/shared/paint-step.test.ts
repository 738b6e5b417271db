import { describe, expect, it } from 'vitest';
import { paintStep, untilStep } from './paint-step.ts';

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
