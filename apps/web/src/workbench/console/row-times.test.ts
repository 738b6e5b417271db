import { describe, expect, it } from 'vitest';
import { clockTime, rowTimes } from './row-times.ts';

const start = new Date(2026, 10, 20, 14, 12, 6, 15).getTime();
const row = (sequence: number, after: number, part = 0) => ({ sequence, part, at: start + after });

const nothingAbove = { sequence: 4, part: 0, at: Number.NaN };

describe('time of a row', () => {
  const rows = [row(4, 1_000), row(5, 1_012), row(5, 1_012, 1), row(9, 66_012)];

  it('is the clock, in milliseconds', () => {
    expect(rowTimes(rows, 'clock', start)).toEqual(['14:12:07.015', '14:12:07.027', '', '14:13:12.027']);
  });

  it('is counted from when the log began', () => {
    expect(rowTimes(rows, 'elapsed', start)).toEqual(['1.000', '1.012', '', '1:06.012']);
    expect(rowTimes(rows, 'elapsed', null)).toEqual(['', '', '', '']);
  });

  it('is counted from the line before, also over the rows of a long one', () => {
    expect(rowTimes(rows, 'delta', start)).toEqual(['', '+0.012', '', '+1:05.000']);
  });

  it('is that of the line above for a line without one, and says so', () => {
    const block = [row(1, 0), { sequence: 2, part: 0, at: Number.NaN, blockAt: start }, row(3, 5), nothingAbove];
    expect(rowTimes(block, 'clock', start)).toEqual(['14:12:06.015', '↑14:12:06.015', '14:12:06.020', '']);
    expect(rowTimes(block, 'elapsed', start)).toEqual(['0.000', '↑0.000', '0.005', '']);
    expect(rowTimes(block, 'delta', start)).toEqual(['', '', '+0.005', '']);
  });

  it('is left out on request', () => {
    expect(rowTimes(rows, 'off', start)).toEqual(['', '', '', '']);
  });
});

describe('clock time', () => {
  it('has each part in its full length', () => {
    expect(clockTime(new Date(2026, 0, 2, 3, 4, 5, 6).getTime())).toBe('03:04:05.006');
  });
});
