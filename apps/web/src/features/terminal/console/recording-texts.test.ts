import { describe, expect, it } from 'vitest';
import { parseSplit, recordedPortsText, recordedTimeText, stopText } from './recording-texts.ts';

describe('words of a recording', () => {
  it('give its ports by their names', () => {
    expect(recordedPortsText([1, 2], { 1: 'Motor' })).toBe('Motor, Port 2');
    expect(recordedPortsText([1, 2, 3, 4], { 1: 'Motor' })).toBe('All ports');
  });

  it('tell running ones apart, also of the same second', () => {
    const since = new Date(2026, 10, 20, 14, 3, 5).getTime();
    expect(stopText({ id: 'wirebench-2026-11-20-14-03-05', kind: 'raw', since })).toBe(
      'Stop received bytes, since 14:03:05',
    );
    expect(stopText({ id: 'wirebench-2026-11-20-14-03-05-2', kind: 'raw', since })).toBe(
      'Stop received bytes, since 14:03:05 (2)',
    );
  });

  it('give its duration to the second within an hour, then to the minute', () => {
    expect([0, 41_900, 725_000, 27_720_000].map(recordedTimeText)).toEqual(['0 s', '41 s', '12 min 5 s', '7 h 42 min']);
  });
});

describe('size of a file as typed', () => {
  it('is whole megabytes, or nothing for one file', () => {
    expect(['', ' ', '1', ' 100 ', '100000'].map(parseSplit)).toEqual([
      null,
      null,
      1_048_576,
      104_857_600,
      104_857_600_000,
    ]);
    expect(['0', '-1', '1.5', '1e3', 'ten', '100001', '1234567'].map(parseSplit)).toEqual(Array(7).fill(undefined));
  });
});
