import { describe, expect, it } from 'vitest';
import { LoadShedder } from './gate.ts';

const LIMIT = 500;

function shedderAfter(...delays: readonly number[]): LoadShedder {
  const shedder = new LoadShedder(LIMIT);
  for (const delay of delays) {
    shedder.sample(delay);
  }
  return shedder;
}

const late = LIMIT + 1;

describe('load shedder', () => {
  it('turns nothing away for one or two late samples, however late', () => {
    expect(shedderAfter(60_000).share).toBe(0);
    expect(shedderAfter(60_000, 60_000).share).toBe(0);
    expect(shedderAfter(60_000, 60_000, 0, 60_000, 60_000).share).toBe(0);
  });

  it('turns a part away when the delay lasts, and everything when that does not help', () => {
    const shedder = shedderAfter(late, late, late);
    expect(shedder.share).toBeCloseTo(0.2);
    for (let sample = 0; sample < 10; sample++) {
      shedder.sample(late);
    }
    expect(shedder.share).toBe(1);
  });

  it('does not flap: the share stays between half of the limit and the limit, and falls in small steps below', () => {
    const shedder = shedderAfter(late, late, late, late);
    for (let sample = 0; sample < 100; sample++) {
      shedder.sample(LIMIT / 2 + 1);
    }
    expect(shedder.share).toBeCloseTo(0.4);
    let changes = 0;
    shedder.onChange(() => changes++);
    for (let sample = 0; sample < 19; sample++) {
      shedder.sample(0);
      expect(shedder.share).toBeGreaterThan(0);
    }
    shedder.sample(late);
    expect(shedder.share).toBeGreaterThan(0.2);
    expect(changes).toBe(0);
    for (let sample = 0; sample < 100; sample++) {
      shedder.sample(0);
    }
    expect([shedder.share, changes]).toEqual([0, 1]);
  });

  it('finds a steady share for a load that lasts', () => {
    // The process can handle half of this load in time.
    const shedder = new LoadShedder(LIMIT);
    const shares: number[] = [];
    let changes = 0;
    shedder.onChange(() => changes++);
    for (let sample = 0; sample < 2_000; sample++) {
      shedder.sample(shedder.share < 0.5 ? 2 * LIMIT : 0);
      shares.push(shedder.share);
    }
    expect(changes).toBe(1);
    expect(Math.min(...shares.slice(100))).toBeGreaterThan(0.4);
    expect(Math.max(...shares.slice(100))).toBeLessThan(0.8);
  });

  it('spreads what it turns away evenly', () => {
    const shedder = shedderAfter(late, late, late);
    const refused = Array.from({ length: 1_000 }, () => shedder.refuses());
    expect(refused.filter(Boolean).length).toBeGreaterThanOrEqual(199);
    expect(refused.filter(Boolean).length).toBeLessThanOrEqual(200);
    expect(refused.slice(0, 6).filter(Boolean)).toHaveLength(1);
  });

  it('is off without a limit', () => {
    const shedder = new LoadShedder(0);
    for (let sample = 0; sample < 100; sample++) {
      shedder.sample(10_000);
    }
    expect(shedder.share).toBe(0);
  });
});
