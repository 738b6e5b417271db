import { describe, expect, it } from 'vitest';
import { kilobytesPerSecond, memoryText, rateText, sizeText } from './bytes.ts';

describe('sizes', () => {
  it('count 1,024 bytes as a KB, with one decimal from a KB on', () => {
    expect([0, 1_023, 1_024, 21_408, 48_210, 1_258_291, 2_254_857_830].map(sizeText)).toEqual([
      '0 B',
      '1023 B',
      '1.0 KB',
      '20.9 KB',
      '47.1 KB',
      '1.2 MB',
      '2.1 GB',
    ]);
  });

  it('never write a whole 1,024 of a unit', () => {
    expect([1_048_524, 1_048_525].map(sizeText)).toEqual(['1023.9 KB', '1.0 MB']);
  });

  it('have no unnecessary decimals for memories and limits', () => {
    expect([4 * 2 ** 20, 512 * 1_024, 1.5 * 2 ** 20].map(memoryText)).toEqual(['4 MB', '512 KB', '1.5 MB']);
  });
});

describe('rates', () => {
  it('count 1,000 bytes a second as a kB/s, and never write a whole 1,000 of a unit', () => {
    expect([17.6, 999.96, 1_024, 368_000, 999_960, 4_000_000].map(rateText)).toEqual([
      '18 B/s',
      '1.0 kB/s',
      '1.0 kB/s',
      '368.0 kB/s',
      '1.0 MB/s',
      '4.0 MB/s',
    ]);
  });

  it('stay in kB/s where the unit is written beside them', () => {
    expect([88_420, 1_204_000].map(kilobytesPerSecond)).toEqual(['88.4', '1204.0']);
  });
});
