import { describe, expect, it } from 'vitest';
import { longestChipErase, longestErase, longestProgram, longestStubWork } from './flash-times.ts';

const KIB = 1_024;

describe('the longest erase', () => {
  it.each([
    ['a sector', 0x1_1000, 1, 400],
    ['an aligned block', 0x1_0000, 64 * KIB, 2_000],
    ['as many bytes that no block covers', 0x1_1000, 64 * KIB, 16 * 400],
    ['a block between sectors', 0x1_f000, 72 * KIB, 2_000 + 2 * 400],
    ['sectors that a range only touches', 0x1_0fff, 2, 2 * 400],
  ])('counts the erased area: %s', (_what, offset, length, expected) => {
    expect(longestErase({ offset, length })).toBe(expected);
  });

  it('grows with the size of the chip', () => {
    expect(longestChipErase(4 * KIB * KIB)).toBe(64 * 2_000);
    expect(longestChipErase(null)).toBe(longestChipErase(16 * KIB * KIB));
  });
});

describe('the work of a stub on one block', () => {
  const run = { offset: 0x1_0000, length: 256 * KIB };

  it('is longer for a block of zeros than for a block of code', () => {
    const code = longestStubWork(run, 0, 20 * KIB);
    const zeros = longestStubWork(run, 20 * KIB, 190 * KIB);
    expect(code).toBeLessThan(3_000);
    expect(zeros).toBeGreaterThan(4 * 2_000 - 1);
  });

  it('covers no erase beyond the run', () => {
    expect(longestStubWork({ offset: 0x9000, length: 4 * KIB }, 0, 4 * KIB)).toBe(400 + longestProgram(4 * KIB));
    expect(longestStubWork(run, 0, run.length)).toBe(longestErase(run) + longestProgram(run.length));
  });
});
