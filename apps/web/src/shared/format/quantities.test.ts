import { describe, expect, it } from 'vitest';
import { clockText, durationText, roughDurationText } from './quantities.ts';

describe('durations of a flasher', () => {
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
