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
    expect(amount(1_023)).toBe('1023 B');
    expect(amount(1_024)).toBe('1.0 KB');
    expect(amount(48_210)).toBe('47.1 KB');
    expect(amount(1_048_550)).toBe('1.0 MB');
    expect(amount(2_254_857_830)).toBe('2.1 GB');
    expect(rate(17.6)).toBe('18 B/s');
    expect(rate(368_000)).toBe('368.0 kB/s');
    expect(rate(4_000_000)).toBe('4.0 MB/s');
  });

  it('count one line as one', () => {
    expect(lines(1)).toBe('1 line');
    expect(lines(0)).toBe('0 lines');
  });
});
