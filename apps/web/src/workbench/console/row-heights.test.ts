import { describe, expect, it } from 'vitest';
import { MeasuredHeights, uniformHeights } from './row-heights.ts';

const row = (sequence: number, text = 'x', cut = false) => ({ sequence, part: 0, text, cut });

describe('row heights', () => {
  it('are all the same where nothing is wrapped', () => {
    expect(uniformHeights(25)).toMatchObject({ uniform: true, least: 25, typical: 25 });
    expect(uniformHeights(25).of(row(1))).toBe(25);
  });

  it('are as they were measured, as long as the row says the same', () => {
    const heights = new MeasuredHeights(25);
    heights.keep(row(1, 'long'), 65);
    expect(heights.of(row(1, 'long'))).toBe(65);
    expect(heights.has(row(1, 'longer'))).toBe(false);
    expect(heights.has(row(1, 'long', true))).toBe(false);
    expect(heights.has({ ...row(1, 'long'), open: true })).toBe(false);
    heights.keep(row(1, 'longer'), 85);
    expect(heights.of(row(1, 'longer'))).toBe(85);
    expect(heights.size).toBe(1);
  });

  it('keep how much of a row is folded away, until its line is forgotten', () => {
    const heights = new MeasuredHeights(25);
    heights.keep(row(1, 'long'), 177, 2);
    expect(heights.foldedOf(row(1, 'long'))).toBe(2);
    expect(heights.foldedOf(row(2, 'long'))).toBe(0);
    heights.forget(1);
    expect(heights.has(row(1, 'long'))).toBe(false);
    expect(heights.foldedOf(row(1, 'long'))).toBe(0);
  });

  it('are guessed by those that were measured, and never below a row of one line', () => {
    const heights = new MeasuredHeights(20);
    expect(heights.of(row(9))).toBe(20);
    for (let sequence = 0; sequence < 100; sequence++) {
      heights.keep(row(sequence), sequence % 2 === 0 ? 20 : 60);
    }
    expect(heights.of(row(1_000))).toBeGreaterThan(34);
    expect(heights.of(row(1_000))).toBeLessThan(46);
  });

  it('are forgotten above 5,000, the oldest first', () => {
    const heights = new MeasuredHeights(25);
    for (let sequence = 0; sequence <= 5_000; sequence++) {
      heights.keep(row(sequence), 25);
    }
    expect(heights.size).toBe(4_001);
    expect(heights.has(row(999))).toBe(false);
    expect(heights.has(row(1_000))).toBe(true);
    expect(heights.has(row(5_000))).toBe(true);
    heights.clear();
    expect(heights.has(row(5_000))).toBe(false);
  });
});
