import { describe, expect, it } from 'vitest';
import { count, lines } from './numbers.ts';

describe('counts', () => {
  it('set thousands apart by a thin space', () => {
    expect(count(1_205)).toBe('1\u2009205');
    expect(count(12_345_678)).toBe('12\u2009345\u2009678');
    expect(count(999)).toBe('999');
  });

  it('count one line as one', () => {
    expect(lines(1)).toBe('1 line');
    expect(lines(0)).toBe('0 lines');
  });
});
