import { beforeEach, describe, expect, it } from 'vitest';
import { TickPace } from './bench-worker.ts';

describe('tick pace', () => {
  let pace: TickPace;
  let at: number;
  let lines: number;
  /** Simulates lines at `rate` a second for one second. Returns the times between ticks. */
  const come = (rate: number): Set<number> => {
    const intervals = new Set<number>();
    for (const end = at + 1_000; at < end; ) {
      const { interval } = pace;
      intervals.add(interval);
      at += interval;
      lines += Math.round((rate * interval) / 1_000);
      pace.sent(lines, at);
    }
    return intervals;
  };
  beforeEach(() => {
    pace = new TickPace();
    at = 1_000_000;
    lines = 0;
    pace.sent(lines, at);
  });

  it('reports every frame while a person could follow', () => {
    expect(come(200)).toEqual(new Set([16]));
    expect(come(1_500)).toEqual(new Set([16]));
  });

  it('reports in step, ten times a second, while lines run by, and stays with it', () => {
    at += 33;
    come(9_200);
    expect(come(9_200)).toEqual(new Set([100]));
    expect(at % 100).toBe(0);
  });

  it('reports every frame again when the flood is over', () => {
    come(100_000);
    come(200);
    expect(come(200)).toEqual(new Set([16]));
  });

  it('takes many lines after a long silence for no flood', () => {
    at += 10_000;
    lines += 500;
    pace.sent(lines, at);
    expect(pace.interval).toBe(16);
  });

  it('takes a log that was cleared for no flood', () => {
    come(9_200);
    lines = 0;
    pace.sent(lines, at + 50);
    expect(pace.interval).toBe(16);
  });
});
