import { describe, expect, it } from 'vitest';
import { frequencyText, graticule, niceStep, panned, rateText, timeText, zoomed } from './time-axis.ts';

describe('the time axis of a capture', () => {
  it.each([
    [1, 1],
    [1.2, 2],
    [4, 5],
    [50, 50],
    [51, 100],
    [999, 1_000],
  ])('has steps of 1, 2 and 5: not below %d is %d', (least, step) => {
    expect(niceStep(least)).toBeCloseTo(step, 9);
  });

  it('has its lines around the trigger, and not too near each other', () => {
    const { step, lines } = graticule({ from: 0, to: 400_000 }, 130_000, 640);
    expect(step).toBe(50_000);
    expect(lines).toEqual([30_000, 80_000, 130_000, 180_000, 230_000, 280_000, 330_000, 380_000]);
  });

  it('zooms around a place that stays where it is, and never out of what was captured', () => {
    const half = zoomed({ from: 0, to: 1_000 }, 0.5, 0.25, 1_000);
    expect(half).toEqual({ from: 125, to: 625 });
    expect(zoomed(half, 10, 0.9, 1_000)).toEqual({ from: 0, to: 1_000 });
    const deep = zoomed({ from: 0, to: 1_000 }, 1e-9, 0.5, 1_000);
    expect(deep.to - deep.from).toBe(100);
  });

  it('stops at both ends', () => {
    expect(panned({ from: 100, to: 300 }, -9, 1_000)).toEqual({ from: 0, to: 200 });
    expect(panned({ from: 100, to: 300 }, 9, 1_000)).toEqual({ from: 800, to: 1_000 });
    expect(panned({ from: 0, to: 1_000 }, 1, 1_000)).toEqual({ from: 0, to: 1_000 });
  });

  it('writes no more digits than were measured', () => {
    expect(timeText(90_000, 825)).toBe('90.0\u202fµs');
    expect(timeText(90_000, 10_000)).toBe('90\u202fµs');
    expect(timeText(-1_500_000, 500_000)).toBe('−1.5\u202fms');
    expect(timeText(0, 825)).toBe('0\u202fns');
    expect(frequencyText(90_000)).toBe('11.1\u202fkHz');
    expect(rateText(825)).toBe('1.21\u202fMS/s');
  });
});
