import { describe, expect, it } from 'vitest';
import { figureTexts, moreText, spanText, stateText } from './shown-figures.ts';

const place = { sequence: 1, at: 0 };
/** The figures that numpy gives for a sine of 1.3 Hz with a mean (`packages/serial/src/plot/testing/ranges.jsonl`). */
const sine = {
  low: -0.999998872,
  lowPlace: place,
  high: 2.99999887,
  highPlace: place,
  mean: 0.9999999999858601,
  rms: 1.7320508076024368,
  deviation: 1.414921199977822,
  peakToPeak: 3.999997742,
  frequency: 1.300000059756221,
};

describe('words for figures', () => {
  it('name the length of the range', () => {
    expect([30_000, 1.25, 999, 90_000, 300_000, 36_000_000].map(spanText)).toEqual([
      '30 s',
      '1.25 ms',
      '999 ms',
      '90 s',
      '5 min',
      '10 h',
    ]);
  });

  it('have the digits of the range', () => {
    expect(figureTexts(sine)).toEqual({ low: '-0.999999', mean: '1.000', high: '3', deviation: '1.41' });
    const latitude = { ...sine, low: 47.6603331, high: 47.6604301, mean: 47.66038, peakToPeak: 0.000097 };
    expect(figureTexts(latitude)).toMatchObject({ low: '47.6603331', high: '47.6604301' });
  });

  it('have a dash for the deviation of one point', () => {
    const one = { ...sine, low: 4.5, high: 4.5, mean: 4.5, deviation: null, peakToPeak: 0 };
    expect(figureTexts(one)).toEqual({ low: '4.5', mean: '4.5', high: '4.5', deviation: '–' });
  });

  it('say why there is no frequency', () => {
    expect(moreText(sine, 'V')).toBe('RMS 1.73205 V, peak to peak 4 V, 1.3 Hz.');
    expect(moreText({ ...sine, frequency: 'gaps' }, '')).toBe(
      'RMS 1.73205, peak to peak 4. No frequency: it has gaps.',
    );
    const { frequency: _, ...without } = sine;
    expect(moreText(without, '')).toBe('RMS 1.73205, peak to peak 4.');
  });

  it('name the share of the time in each state', () => {
    const fan = new Map([
      [0, 'off'],
      [1, 'on'],
    ]);
    const shares = [
      { value: 0, share: 0.7 },
      { value: 1, share: 0.3 },
    ];
    expect(stateText({ shares, changes: 5 }, fan)).toBe('on 30 % of the time, 5 changes');
    expect(stateText({ shares, changes: 1 }, new Map())).toBe('1 for 30 % of the time, 1 change');
    expect(stateText({ shares: [{ value: 0, share: 1 }], changes: 0 }, fan)).toBe('on 0 % of the time, 0 changes');
    expect(stateText({ shares: [], changes: 0 }, fan)).toBe('0 changes');
  });

  it('do not round a share to none or all of the time', () => {
    const modes = new Map([
      [0, 'idle'],
      [2, 'run'],
      [3, 'fault'],
    ]);
    const shares = [
      { value: 2, share: 0.998 },
      { value: 0, share: 0.0015 },
      { value: 3, share: 0.0005 },
    ];
    expect(stateText({ shares, changes: 12 }, modes)).toBe(
      'run > 99 %, idle < 1 %, fault < 1 % of the time, 12 changes',
    );
  });
});
