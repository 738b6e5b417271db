import { describe, expect, it } from 'vitest';
import { readRepeatTime } from './repeat-time.ts';

describe('the time of a repeated message', () => {
  it('is whole milliseconds from 10 to an hour', () => {
    expect(['10', '1000', '3600000'].map(readRepeatTime)).toEqual([10, 1_000, 3_600_000]);
    expect(['', '9', '3600001', '1.5', '-100', 'fast'].map(readRepeatTime)).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});
