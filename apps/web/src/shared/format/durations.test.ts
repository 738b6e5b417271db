import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ageText, clockText, durationText, roughDurationText, stopwatchText } from './durations.ts';

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

describe('a stopwatch', () => {
  it('takes hours when there are some, and no more places than needed', () => {
    expect([0, 59_999, 60_000, 3_599_999, 3_600_000, 360_000_000].map(stopwatchText)).toEqual([
      '0.000',
      '59.999',
      '1:00.000',
      '59:59.999',
      '1:00:00.000',
      '100:00:00.000',
    ]);
  });

  it('is nothing when the clock of the machine was set back', () => {
    expect(stopwatchText(-5)).toBe('0.000');
  });

  it('says each millisecond apart', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (a, b) => {
        expect(stopwatchText(a) === stopwatchText(b)).toBe(a === b);
      }),
    );
  });
});

describe('an age', () => {
  it('is shown in its largest unit, and never below 0', () => {
    expect([-5, 41_900, 60_000, 7_199_000, 7_200_000].map(ageText)).toEqual(['0 s', '41 s', '1 min', '1 h', '2 h']);
  });
});
