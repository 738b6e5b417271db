import { describe, expect, it } from 'vitest';
import { hasRoom, shortNumber, tickNumber, tickTime } from './plot-times.ts';

describe('times below a plot', () => {
  const at = new Date(2026, 10, 20, 14, 12, 6, 15).getTime();

  it('have milliseconds only where the marks are that close', () => {
    expect(tickTime(at, 5_000)).toBe('14:12:06');
    expect(tickTime(at, 50)).toBe('14:12:06.015');
  });

  it('stand only where the edge cuts nothing off', () => {
    expect([26, 27].map((room) => hasRoom('14:12:06', room))).toEqual([false, true]);
    expect([39, 40].map((room) => hasRoom('14:12:06.015', room))).toEqual([false, true]);
  });
});

describe('numbers beside a plot', () => {
  it('have the decimals that distinguish two marks, and separate thousands', () => {
    expect([0, 0.25, 0.5].map((value) => tickNumber(value, 0.25))).toEqual(['0.00', '0.25', '0.50']);
    expect([-1_500, 0, 12_000].map((value) => tickNumber(value, 500))).toEqual(['-1\u2009500', '0', '12\u2009000']);
  });

  it('are short where their digits would not fit', () => {
    expect(tickNumber(2e9, 5e8)).toBe('2.000e+9');
    expect(tickNumber(4e-7, 1e-7)).toBe('4.000e-7');
  });
});

describe('numbers of a legend', () => {
  it('are short, whatever their size', () => {
    expect([0, 23.4, -1013.25, 1 / 3, 123456.789, 2e9, 4e-7].map(shortNumber)).toEqual([
      '0',
      '23.4',
      '-1013.25',
      '0.333333',
      '123457',
      '2.000e+9',
      '4.000e-7',
    ]);
  });
});
