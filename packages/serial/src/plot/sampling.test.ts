import { random } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { samplingOf } from './sampling.ts';

const timesOf = (count: number, timeOf: (index: number) => number) =>
  Float64Array.from({ length: count }, (_, index) => timeOf(index));

describe('sampling', () => {
  it('is even at times of a board in whole milliseconds', () => {
    const times = timesOf(900, (index) => Math.round((index * 1_000) / 300));
    expect(samplingOf({ times, clock: 'board' })).toMatchObject({
      kind: 'even',
      from: 'times',
      clock: 'board',
      rate: expect.closeTo(300, 1),
      jitter: expect.closeTo(1 / 3, 1),
    });
  });

  it('is counted by the milliseconds of a board that has several points in one', () => {
    const times = timesOf(8_000, (index) => Math.floor(index / 4));
    expect(samplingOf({ times, clock: 'board' })).toMatchObject({
      from: 'bursts',
      rate: expect.closeTo(4_000, 3),
      bursts: 2_000,
    });
  });

  it('is estimated from eight times of a board, but from twenty arrivals only', () => {
    const times = timesOf(12, (index) => index * 10);
    expect(samplingOf({ times, clock: 'board' })).toMatchObject({ kind: 'even', rate: expect.closeTo(100, 6) });
    expect(samplingOf({ times, clock: 'adapter' })).toMatchObject({ kind: 'even', clock: 'adapter' });
    expect(samplingOf({ times })).toEqual({ reason: 'few-bursts', bursts: 12 });
    expect(samplingOf({ times: timesOf(20, (index) => index * 10) })).toMatchObject({ kind: 'even', clock: 'lines' });
  });

  it('is counted by arrivals of one to three lines, some of them late', () => {
    const { next } = random(3);
    const times: number[] = [];
    for (let index = 0; index < 3_000; ) {
      const together = Math.min(index % 500 === 0 ? 40 : 1 + Math.floor(3 * next()), 3_000 - index);
      index += together;
      times.push(...new Array<number>(together).fill(index + 0.4 * next()));
    }
    expect(samplingOf({ times: Float64Array.from(times) })).toMatchObject({
      from: 'bursts',
      gaps: 0,
      count: 3_000,
      rate: expect.closeTo(1_000, 0),
    });
  });

  it('counts bursts in the longest part without a pause', () => {
    const times = timesOf(4_000, (index) => 16 * Math.floor(index / 16) + (index < 1_600 ? 0 : 5_000));
    expect(samplingOf({ times })).toMatchObject({
      from: 'bursts',
      gaps: 1,
      first: 1_600,
      count: 2_400,
      rate: expect.closeTo(1_000, 3),
    });
  });

  it('parts evenly sampled points at pauses if a rate is given', () => {
    const times = timesOf(200, (index) => index * 10 + (index < 60 ? 0 : 3_000));
    expect(samplingOf({ times }, 50)).toMatchObject({ from: 'given', rate: 50, first: 60, count: 140, gaps: 1 });
    expect(samplingOf({ times }, 50)).not.toMatchObject({ uncertainty: expect.not.closeTo(0) });
  });

  it('says that too few points are between missing values', () => {
    const times = timesOf(40, (index) => index);
    const breaks = timesOf(8, (index) => index * 5);
    expect(samplingOf({ times, breaks: [...breaks] }, 50)).toEqual({ reason: 'few-points', gaps: 7 });
  });

  it('is uneven at times about a grid, which carry half its rate', () => {
    const { next } = random(5);
    const times = timesOf(500, (index) => (index + 0.6 * next()) * 50);
    expect(samplingOf({ times })).toMatchObject({ kind: 'uneven', isGrid: false, gaps: 0, top: expect.closeTo(10, 1) });
  });
});
