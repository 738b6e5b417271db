import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { figuresOf, type SeriesFigures } from './figures.ts';
import { type PlottedSeries, PointStore } from './point-store.ts';

interface Vector {
  readonly case: string;
  readonly note: string;
  readonly samples: readonly (readonly [number, number | null])[];
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly rms: number;
  readonly deviation: number | null;
  readonly peak_to_peak: number;
  readonly frequency: number | null;
}

/** Ranges whose figures numpy found (`testing/README.md`). */
const vectors: readonly Vector[] = readFileSync(join(import.meta.dirname, 'testing', 'ranges.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

/** Time of the first sample, in milliseconds: small, so that the times of the vectors stay exact. */
const start = 0;

type Samples = Vector['samples'];

/** @param samples Time in seconds, and value; null: a reading without a value. */
function seriesOf(samples: Samples, change: Partial<PlottedSeries> = {}): PlottedSeries {
  const points = new PointStore();
  for (const [index, [seconds, value]] of samples.entries()) {
    if (value === null) {
      points.breakHere();
    } else {
      points.push(start + seconds * 1_000, value, index);
    }
  }
  return {
    id: 7,
    port: 1,
    name: 'a',
    unit: '',
    points,
    valueNames: new Map(),
    texts: new Map(),
    lines: 0,
    isCurve: true,
    hasBoardTimes: false,
    clock: 'lines',
    hasUnknownTimes: false,
    ...change,
  };
}

function figures(one: PlottedSeries, from: number, to: number): SeriesFigures {
  const steps = figuresOf([one], { from: from * 1_000, to: to * 1_000, series: [7], hasFrequency: true });
  let step = steps.next();
  while (step.done !== true) {
    step = steps.next();
  }
  const [found] = step.value;
  if (found === undefined) {
    throw new Error('The series has no figures');
  }
  return found;
}

/** One part in a million. */
const near = (value: number) => expect.closeTo(value, 6 - Math.ceil(Math.log10(Math.max(1e-6, Math.abs(value)))));

describe('figures of a range', () => {
  it.each(vectors)('agree with numpy for $case: $note', (vector) => {
    const { points, numbers } = figures(seriesOf(vector.samples), vector.from, vector.to);
    expect(points).toBe(vector.count);
    expect(numbers).toMatchObject({
      low: vector.min,
      high: vector.max,
      mean: near(vector.mean),
      rms: near(vector.rms),
      deviation: vector.deviation === null ? null : near(vector.deviation),
      peakToPeak: near(vector.peak_to_peak),
    });
    if (vector.frequency === null) {
      expect(numbers?.frequency).toEqual(expect.any(String));
    } else {
      expect(Math.abs(Number(numbers?.frequency) / vector.frequency - 1)).toBeLessThan(0.02);
    }
  });

  it('stay exact beside a mean a million times as large, over several chunks of points', () => {
    // The values 1e9 ± 1 in turns: mean 1e9, squares 20,000, so the deviation is √(20,000 / 19,999) = 1.000025.
    const samples = Array.from({ length: 20_000 }, (_, index) => [index / 1_000, 1e9 + (index % 2) * 2 - 1] as const);
    const { numbers } = figures(seriesOf(samples), 0, 20);
    expect(numbers?.mean).toBeCloseTo(1e9, 6);
    expect(numbers?.deviation).toBeCloseTo(1.000025, 6);
  });

  it('name the first line of several with the lowest and the highest value', () => {
    const samples = [4, 9, 1, 1, 9].map((value, index) => [index, value] as const);
    expect(figures(seriesOf([...samples, [5, 0.5]]), 0, 4).numbers).toMatchObject({
      lowPlace: { sequence: 2, at: 2_000 },
      highPlace: { sequence: 1, at: 1_000 },
    });
  });

  it('leave out infinite values, and are missing without a point', () => {
    const one = seriesOf([
      [0, 1],
      [1, Number.POSITIVE_INFINITY],
      [2, 3.5],
    ]);
    expect(figures(one, 0, 2)).toMatchObject({ points: 2, numbers: { low: 1, high: 3.5, frequency: 'gaps' } });
    expect(figures(one, 10, 20)).toEqual({ id: 7, points: 0, numbers: null, states: null });
  });

  it('leave out points that were dropped', () => {
    const one = seriesOf(Array.from({ length: 10_000 }, (_, index) => [index, index + 0.5] as const));
    expect(figures(one, 0, 9_999).points).toBe(10_000);
    one.points.dropOldest();
    // A chunk has 4,096 points.
    expect(figures(one, 0, 9_999)).toMatchObject({ points: 5_904, numbers: { low: 4_096.5 } });
  });
});

describe('frequency of a range', () => {
  const sine = (times: readonly number[]): Samples => times.map((time) => [time, Math.sin(2 * Math.PI * 2 * time)]);
  const even = Array.from({ length: 500 }, (_, index) => index / 100);

  it('is missing where the times say nothing', () => {
    expect(figures(seriesOf(sine(even), { hasUnknownTimes: true }), 0, 5).numbers?.frequency).toBe('unknown-times');
  });

  it('is missing where the times of the rises are irregular', () => {
    // Rises through the mean at 1.5, 3.5 and 9.5 s: the periods 2 and 6 s are no period of 4 s.
    const values = [0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 1, 0].map((value, index) => [index / 1.0001, value * 2.5] as const);
    expect(figures(seriesOf(values), 0, 12).numbers?.frequency).toBe('irregular');
  });

  it('is missing where points came in bursts that share one time', () => {
    const bursts = even.map((time) => [Math.floor(time / 0.75) * 0.75, Math.sin(2 * Math.PI * 8 * time)] as const);
    expect(figures(seriesOf(bursts), 0, 5).numbers?.frequency).toBe('irregular');
  });

  it('is missing where a silence interrupts the curve', () => {
    const silent = even.map((time) => [time < 2.5 ? time : time + 10, Math.sin(4 * Math.PI * time)] as const);
    expect(figures(seriesOf(silent), 0, 20).numbers?.frequency).toBe('gaps');
  });
});

describe('figures of states', () => {
  it('count time, not points, from the start of the range to its end', () => {
    // Off from 0 s, on from 1 s, off from 1.5 s to the point at 2.5 s. From 0.5 to 2 s: on for 0.5 of 1.5 s.
    const one = seriesOf([
      [0, 0],
      [1, 1],
      [1.25, 1],
      [1.5, 0],
      [2.5, 0],
    ]);
    expect(figures(one, 0.5, 2)).toEqual({
      id: 7,
      points: 3,
      numbers: expect.objectContaining({ low: 0, high: 1 }),
      states: {
        changes: 2,
        shares: [
          { value: 0, share: expect.closeTo(2 / 3) },
          { value: 1, share: expect.closeTo(1 / 3) },
        ],
      },
    });
  });

  it('do not count time within a gap, and a gap is no change', () => {
    const one = seriesOf([
      [0, 0],
      [1, 0],
      [1, null],
      [3, 1],
      [4, 1],
      [4.5, 0],
    ]);
    // 0 for 1 s, a gap of 2 s, 1 for 1.5 s.
    expect(figures(one, 0, 5).states).toEqual({
      changes: 1,
      shares: [
        { value: 1, share: expect.closeTo(0.6) },
        { value: 0, share: expect.closeTo(0.4) },
      ],
    });
  });

  it('are those of named values, and not of other whole numbers', () => {
    const samples = [
      [0, 3],
      [1, 5],
    ] as const;
    expect(figures(seriesOf(samples, { valueNames: new Map([[3, 'idle']]) }), 0, 2).states?.changes).toBe(1);
    expect(figures(seriesOf(samples), 0, 2).states).toBeNull();
  });

  it('have no share of a time without length', () => {
    expect(figures(seriesOf([[1, 1]]), 0, 2)).toMatchObject({ points: 1, states: { changes: 0, shares: [] } });
  });
});
