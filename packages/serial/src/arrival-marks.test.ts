/** The record of arrivals: its numbers, its bound, and its memory. */
import { describe, expect, it } from 'vitest';
import { ArrivalMarks } from './arrival-marks.ts';

/** Adds arrivals of `length` bytes, with `between` numbers of other channels before each. */
function filled(count: number, length: number, between: number, most?: number) {
  const marks = new ArrivalMarks(most);
  let sequence = 0;
  for (let index = 0; index < count; index++) {
    sequence += between;
    const from = index * length;
    marks.add({ kind: 'bytes', from, to: from + length, at: index, sequence }, 0);
    sequence += length;
  }
  return marks;
}

describe('the record of arrivals', () => {
  it('gives each byte a number of its own, behind what came between', () => {
    const marks = filled(3, 4, 2);
    expect([0, 3, 4, 11].map((offset) => marks.sequenceOf(offset))).toEqual([2, 5, 8, 17]);
    expect(marks.sequenceOf(12)).toBeNull();
  });

  it('keeps the numbers of all bytes when old neighbours become one', () => {
    const marks = filled(2_000, 4, 0, 1_024);
    expect(marks.count).toBeLessThanOrEqual(1_024);
    expect(marks.covers(0, 8_000)).toBe(true);
    expect([0, 5, 4_001, 7_999].map((offset) => marks.sequenceOf(offset))).toEqual([0, 5, 4_001, 7_999]);
  });

  it('forgets the oldest arrivals where something always came between', () => {
    const marks = filled(2_000, 4, 1, 1_024);
    expect(marks.count).toBeLessThanOrEqual(1_024);
    expect(marks.covers(0, 8_000)).toBe(false);
    expect(marks.sequenceOf(7_999)).toBe(9_999);
  });

  it('knows nothing of bytes before others that came without an arrival', () => {
    const marks = filled(2, 4, 0);
    marks.add({ kind: 'bytes', from: 20, to: 24, at: 9, sequence: 90 }, 0);
    expect([marks.covers(0, 24), marks.covers(20, 24)]).toEqual([false, true]);
    expect(marks.sequenceOf(2)).toBeNull();
  });

  it('takes less than 0.3 MB for a megabyte in arrivals of 184 bytes, 16 ms at 115200 baud', () => {
    expect(filled(Math.ceil(1e6 / 184), 184, 0).bytes).toBeLessThan(300_000);
  });
});
