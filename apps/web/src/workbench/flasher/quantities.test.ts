import { describe, expect, it } from 'vitest';
import {
  clockText,
  durationText,
  hexAddress,
  memoryText,
  offsetText,
  roughDurationText,
  sizeText,
} from './quantities.ts';

describe('quantities of a flasher', () => {
  it('writes addresses in upper-case digits', () => {
    expect([0, 0x13a2bf].map(hexAddress)).toEqual(['0x0', '0x13A2BF']);
  });

  it('writes the addresses of a release in the same way', () => {
    expect(['0xd000', '0x8000000', '65536', '0x0'].map(offsetText)).toEqual(['0xD000', '0x08000000', '0x10000', '0x0']);
  });

  it('changes the unit of a size where its decimal would round over', () => {
    expect([1_023, 1_024, 21_408, 1_048_524, 1_048_525, 1_258_291].map(sizeText)).toEqual([
      '1023 B',
      '1.0 KB',
      '20.9 KB',
      '1023.9 KB',
      '1.0 MB',
      '1.2 MB',
    ]);
  });

  it('names the size of a memory without needless decimals', () => {
    expect([4 * 2 ** 20, 512 * 1_024, 1.5 * 2 ** 20].map(memoryText)).toEqual(['4 MB', '512 KB', '1.5 MB']);
  });

  it('never says 60 seconds', () => {
    expect([400, 59_940, 59_960, 125_000].map(durationText)).toEqual(['0.4 s', '59.9 s', '1 min 0 s', '2 min 5 s']);
  });

  it('does not pretend to know an estimate to a tenth', () => {
    expect([40, 1_400, 12_600, 125_400].map(roughDurationText)).toEqual([
      'less than a second',
      'about 1 s',
      'about 13 s',
      'about 2 min 5 s',
    ]);
  });

  it('does not say that no time is left while some is', () => {
    expect([0, 1, 6_000, 61_000].map(clockText)).toEqual(['0:00', '0:01', '0:06', '1:01']);
  });
});
