import { describe, expect, it } from 'vitest';
import { amount, count, lines, rate } from './amounts.ts';

describe('amounts', () => {
  it('set thousands apart by a thin space', () => {
    expect(count(1_205)).toBe('1\u2009205');
    expect(count(12_345_678)).toBe('12\u2009345\u2009678');
    expect(count(999)).toBe('999');
  });

  it('have one decimal from a thousand on, and never write a thousand of a unit', () => {
    expect(amount(0)).toBe('0 B');
    expect(amount(999)).toBe('999 B');
    expect(amount(48_210)).toBe('48.2 KB');
    expect(amount(999_960)).toBe('1.0 MB');
    expect(amount(2_100_000_000)).toBe('2.1 GB');
    expect(rate(17.6)).toBe('18 B/s');
    expect(rate(368_000)).toBe('368.0 kB/s');
    expect(rate(4_000_000)).toBe('4.0 MB/s');
  });

  it('count one line as one', () => {
    expect(lines(1)).toBe('1 line');
    expect(lines(0)).toBe('0 lines');
  });
});
