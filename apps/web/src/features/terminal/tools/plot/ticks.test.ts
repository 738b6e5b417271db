import { describe, expect, it } from 'vitest';
import { numberTicks, scaleText, spanNumber, timeText, timeTicks, valueNumber } from './ticks.ts';

describe('times below lanes', () => {
  const at = new Date(2026, 10, 20, 14, 12, 6, 15).getTime();

  it('are round, in the zone of the person, and as many as fit', () => {
    const minutes = timeTicks(at, at + 30_000, 6);
    expect([minutes.step, ...minutes.values.map((time) => timeText(time, minutes.step))]).toEqual([
      5_000,
      '14:12:10',
      '14:12:15',
      '14:12:20',
      '14:12:25',
      '14:12:30',
      '14:12:35',
    ]);
    const days = timeTicks(at, at + 5 * 86_400_000, 6);
    expect(days.values.map((time) => timeText(time, days.step))).toEqual(Array(5).fill('00:00:00'));
    expect(timeTicks(0, 1, 5)).toMatchObject({ step: 0.2 });
    expect(timeTicks(0, 1e14, 4).values.length).toBeLessThanOrEqual(5);
  });

  it('have the digits that tell them apart', () => {
    expect(timeText(at, 50)).toBe('14:12:06.015');
    expect(timeText(at + 0.25, 0.1)).toBe('14:12:06.0152');
  });
});

describe('numbers beside lanes', () => {
  it('are round between the ends of an axis, and as many as fit', () => {
    expect(numberTicks(0, 500, 6)).toEqual({ step: 100, values: [0, 100, 200, 300, 400, 500] });
    expect(numberTicks(-0.3, 1.1, 4)).toEqual({ step: 0.5, values: [0, 0.5, 1] });
    expect(numberTicks(990, 1_010, 3).values).toEqual([990, 1_000, 1_010]);
  });

  it('have the decimals of a hundredth of their scale', () => {
    expect([24.84, 23.2].map((value) => scaleText(value, 1.64))).toEqual(['24.84', '23.20']);
    expect(scaleText(1_561.3, 662)).toBe('1\u2009561');
    expect(scaleText(0.000_123, 0.001)).toBe('0.00012');
    expect(scaleText(2e9, 1e9)).toBe('2.000e+9');
  });

  it('have the digits of a hundredth of their range: seven decimals for 11 m of latitude', () => {
    // A degree of latitude has 111.2 km: 11 m are 0.000099 degrees.
    expect(spanNumber(47.660_333_4, 0.000_099)).toBe('47.6603334');
    expect(spanNumber(47.660_333_4, 1)).toBe('47.6603');
    expect(spanNumber(23.12, 0)).toBe('23.12');
    expect(spanNumber(1, 1e-20)).toBe('1');
  });

  it('separate thousands', () => {
    expect([0, -1_013.25, 1_484, 123_456.789, 2e9].map(valueNumber)).toEqual([
      '0',
      '-1\u2009013.25',
      '1\u2009484',
      '123\u2009457',
      '2.000e+9',
    ]);
  });
});
