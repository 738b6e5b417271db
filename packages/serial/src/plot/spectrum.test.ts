import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PointStore } from './point-store.ts';
import {
  type NoSpectrum,
  peaksOf,
  type Spectrum,
  type SpectrumOptions,
  type SpectrumWindow,
  spectrumCurve,
  spectrumOf,
  spectrumOfSamples,
} from './spectrum.ts';

interface Vector {
  readonly case: string;
  readonly kind: 'uniform' | 'length' | 'window' | 'burst' | 'uneven' | 'few';
  readonly note: string;
  readonly window?: 'hann' | 'flattop' | 'boxcar';
  readonly rate: number;
  readonly highest_frequency?: number;
  readonly nearly_nothing_above?: number;
  readonly peaks: readonly {
    readonly frequency: number;
    readonly within: number;
    readonly amplitude: number;
    readonly amplitude_tolerance: number;
    readonly bin_frequency?: number;
    readonly bin_db?: number;
    readonly lomb_scargle_amplitude?: number;
  }[];
  /** Time in seconds, and value. */
  readonly samples: readonly (readonly [number, number])[];
  readonly frequencies?: readonly number[];
  readonly amplitudes?: readonly number[];
}

/** Series with the peaks that numpy and scipy found (`testing/README.md`). */
const vectors: readonly Vector[] = readFileSync(join(import.meta.dirname, 'testing', 'spectrum.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const ofKind = (...kinds: readonly Vector['kind'][]) => vectors.filter(({ kind }) => kinds.includes(kind));
const named = (name: string) => vectors.find((vector) => vector.case === name)?.samples ?? [];
const windowNames = { hann: 'hann', flattop: 'flat-top', boxcar: 'rectangular' } as const;
const windowOf = ({ window = 'hann' }: Vector): SpectrumWindow => windowNames[window];

/** Arrival of the first sample, in milliseconds since the Unix epoch. */
const start = Date.UTC(2026, 10, 20, 13, 0, 0);

function storeOf(samples: Vector['samples']): PointStore {
  const points = new PointStore();
  samples.forEach(([seconds, value], index) => {
    points.push(start + seconds * 1_000, value, index);
  });
  return points;
}

const found = (samples: Vector['samples'], options: SpectrumOptions = {}) =>
  spectrumOf({ points: storeOf(samples), hasUnknownTimes: false }, start, start + 1_000_000, options);

function drawn(spectrum: Spectrum | NoSpectrum): Spectrum {
  if ('reason' in spectrum) {
    throw new Error(spectrum.reason);
  }
  return spectrum;
}

const linesOf = ({ amplitudes, step }: Spectrum) =>
  [...amplitudes].map((amplitude, index) => ({ frequency: index * step, amplitude }));

const highest = (lines: readonly { readonly frequency: number; readonly amplitude: number }[]) =>
  lines.reduce((one, other) => (other.amplitude > one.amplitude ? other : one), { frequency: 0, amplitude: 0 });

/** Expects the peaks of a vector within one bin, and their amplitudes. */
function expectPeaks(spectrum: Spectrum, { peaks }: Vector): void {
  for (const { frequency, within, amplitude, amplitude_tolerance, bin_db } of peaks) {
    const peak = highest(linesOf(spectrum).filter((line) => Math.abs(line.frequency - frequency) < 3 * spectrum.bin));
    expect(Math.abs(peak.frequency - frequency)).toBeLessThanOrEqual(within);
    expect(Math.abs(peak.amplitude - amplitude)).toBeLessThanOrEqual(amplitude_tolerance);
    if (bin_db !== undefined) {
      expect(20 * Math.log10(peak.amplitude)).toBeCloseTo(bin_db, 1);
    }
  }
}

/** Returns the highest line that is not one of the peaks. @param away In bins. */
const other = (spectrum: Spectrum, { peaks }: Vector, away: number) =>
  highest(
    linesOf(spectrum).filter(({ frequency }) =>
      peaks.every((peak) => Math.abs(frequency - peak.frequency) > away * spectrum.bin),
    ),
  ).amplitude;

describe('spectrum of even samples', () => {
  it.each(ofKind('uniform', 'length', 'window'))('has the peaks of scipy and no others: $case, $note', (vector) => {
    const spectrum = drawn(found(vector.samples, { window: windowOf(vector) }));
    expectPeaks(spectrum, vector);
    expect(other(spectrum, vector, 10)).toBeLessThanOrEqual(1.05 * (vector.nearly_nothing_above ?? 0));
    expect(linesOf(spectrum).at(-1)?.frequency).toBeLessThanOrEqual((vector.highest_frequency ?? 0) * 1.000_001);
    expect(spectrum).toMatchObject({
      points: vector.samples.length,
      sampling: { kind: 'even', from: 'times', gaps: 0 },
    });
  });

  it.each(vectors.filter(({ amplitudes }) => amplitudes !== undefined))(
    'is that of scipy, line for line: $case',
    (vector) => {
      const spectrum = drawn(found(vector.samples, { window: windowOf(vector) }));
      expect(spectrum.amplitudes).toHaveLength(vector.amplitudes?.length ?? 0);
      vector.amplitudes?.forEach((amplitude, line) => {
        expect(spectrum.amplitudes[line]).toBeCloseTo(amplitude, 8);
        expect(line * spectrum.step).toBeCloseTo(vector.frequencies?.[line] ?? Number.NaN, 3);
      });
    },
  );

  it('has its peak at the same place and height under each window, on a bin', () => {
    const samples = Array.from(
      { length: 400 },
      (_, index) => [index / 100, 3 * Math.sin(2 * Math.PI * 0.2 * index)] as const,
    );
    for (const window of ['hann', 'rectangular', 'blackman', 'flat-top'] as const) {
      const [peak] = peaksOf(drawn(found(samples, { window })));
      expect(peak?.frequency).toBeCloseTo(20, 6);
      expect(peak?.amplitude).toBeCloseTo(3, 6);
    }
  });

  it('names the peaks that stand out, and not the side lines of a window', () => {
    const samples = Array.from({ length: 1_000 }, (_, index) => {
      const turns = (2 * Math.PI * 120.37 * index) / 1_000;
      return [index / 1_000, 178 * Math.sin(turns) + 9 * Math.sin(2 * turns)] as const;
    });
    for (const window of ['hann', 'rectangular', 'blackman', 'flat-top'] as const) {
      const peaks = peaksOf(drawn(found(samples, { window })));
      expect(peaks.map(({ frequency }) => Math.round(frequency))).toEqual([120, 241]);
    }
  });

  it('has all of a line at half the rate', () => {
    const samples = Array.from({ length: 64 }, (_, index) => [index / 100, index % 2 === 0 ? 2 : -2] as const);
    const spectrum = drawn(found(samples, { window: 'rectangular' }));
    expect(highest(linesOf(spectrum))).toMatchObject({ frequency: 50, amplitude: 2 });
  });
});

describe('spectrum of bursts', () => {
  it.each(ofKind('burst'))('has the peaks of scipy with the rate that is given: $case, $note', (vector) => {
    const spectrum = drawn(found(vector.samples, { rate: vector.rate }));
    expectPeaks(spectrum, vector);
    expect(other(spectrum, vector, 10)).toBeLessThanOrEqual(1e-6);
    expect(spectrum.sampling).toMatchObject({ kind: 'even', from: 'given', rate: vector.rate });
  });

  it.each(ofKind('burst'))('has them with the rate that is counted: $case, $note', (vector) => {
    const spectrum = drawn(found(vector.samples));
    expectPeaks(spectrum, vector);
    expect(spectrum.sampling).toMatchObject({ kind: 'even', from: 'bursts', bursts: expect.any(Number) });
    expect(spectrum.sampling.rate / vector.rate).toBeCloseTo(1, 3);
  });

  it('does not count a rate by fewer than 20 of them', () => {
    const samples = named('spectrum-A-burst-16').slice(0, 19 * 16);
    expect(found(samples)).toEqual({ reason: 'few-bursts', bursts: 19 });
    expect(found(samples, { rate: 1_000 })).toMatchObject({ points: 304 });
  });

  it('does not count a rate by bursts at uneven times', () => {
    const samples = named('spectrum-A-burst-16').map(([, value], index) => {
      const burst = Math.floor(index / 16);
      return [burst * burst, value] as const;
    });
    expect(found(samples)).toMatchObject({ reason: 'uneven-bursts' });
  });
});

describe('spectrum of uneven samples', () => {
  it.each(ofKind('uneven'))('has the peaks of scipy and no others: $case, $note', (vector) => {
    const spectrum = drawn(found(vector.samples));
    expectPeaks(spectrum, vector);
    expect(other(spectrum, vector, 1)).toBeLessThan(highest(linesOf(spectrum)).amplitude / 4);
    for (const { frequency, lomb_scargle_amplitude } of vector.peaks) {
      const line = Math.round(frequency / spectrum.step);
      const near = [...spectrum.amplitudes.slice(line - 1, line + 2)];
      expect(Math.max(...near)).toBeCloseTo(lomb_scargle_amplitude ?? Number.NaN, 2);
    }
    expect(spectrum).toMatchObject({ window: null, sampling: { kind: 'uneven' } });
  });

  it('counts the gaps and does not draw across them', () => {
    expect(drawn(found(named('spectrum-A-gap'))).sampling).toMatchObject({
      gaps: 1,
      isGrid: true,
      top: expect.closeTo(14, 3),
    });
  });

  it('is refused where the times cannot tell frequencies apart', () => {
    // Two points close to each other, once a second.
    const samples = Array.from(
      { length: 200 },
      (_, index) => [Math.floor(index / 2) + (index % 2) * 0.01, Math.sin(index)] as const,
    );
    expect(found(samples)).toMatchObject({ reason: 'uneven-times' });
  });
});

describe('spectrum', () => {
  it.each(ofKind('few'))('has no peak: $case, $note', ({ samples }) => {
    const spectrum = found(samples);
    expect('reason' in spectrum ? [] : peaksOf(spectrum)).toEqual([]);
    expect('reason' in spectrum ? 0 : Math.max(...spectrum.amplitudes)).toBe(0);
  });

  it('needs eight points, at times that are known and differ, or a rate', () => {
    const points = storeOf(vectors[0]?.samples ?? []);
    expect(found(named('spectrum-A-few-three'))).toEqual({ reason: 'few-points', gaps: 0 });
    expect(found(named('spectrum-A-one-time'))).toEqual({ reason: 'one-time' });
    expect(found(named('spectrum-A-one-time'), { rate: 64 })).toMatchObject({ points: 64, bin: 1 });
    expect(found([])).toEqual({ reason: 'few-points', gaps: 0 });
    const unknown = { points, hasUnknownTimes: true };
    expect(spectrumOf(unknown, start, start + 100_000)).toEqual({ reason: 'unknown-times' });
    expect(spectrumOf(unknown, start, start + 100_000, { rate: 100 })).toMatchObject({ points: 1_024 });
  });

  it('reads the longest part between missing values if a rate is given', () => {
    const points = new PointStore();
    for (let index = 0; index < 100; index++) {
      if (index === 30) {
        points.breakHere();
      }
      points.push(start, Math.sin(index), index);
    }
    const spectrum = spectrumOf({ points, hasUnknownTimes: false }, start, start + 1, { rate: 10 });
    expect(spectrum).toMatchObject({ points: 70, sampling: { first: 30, gaps: 1 } });
  });

  it('is thinned out to the highest amplitude of each column, with its frequency', () => {
    const even = drawn(
      found(
        Array.from({ length: 14 }, (_, index) => [index, index] as const),
        { rate: 140 },
      ),
    );
    const amplitudes = Float64Array.from([0, 5, 1, 2, 9, 3, 4, 1]);
    const thinned = spectrumCurve(3, { ...even, amplitudes, step: 10 }, 4);
    expect([...thinned.columns]).toEqual([5, 2, 9, 4]);
    expect([...thinned.frequencies]).toEqual([10, 30, 40, 60]);
    expect(thinned).toMatchObject({ id: 3, top: 70, points: 14, bin: 10 });
    const few = spectrumCurve(3, { ...even, amplitudes: Float64Array.of(1, 2), step: 1 }, 4);
    expect([...few.columns]).toEqual([1, 1, 2, 2]);
  });

  it('takes samples without a store, in milliseconds', () => {
    const times = Float64Array.from({ length: 100 }, (_, index) => index * 10);
    const values = times.map((time) => Math.sin((2 * Math.PI * 20 * time) / 1_000));
    expect(peaksOf(drawn(spectrumOfSamples({ times, values })))).toMatchObject([{ frequency: expect.closeTo(20, 6) }]);
  });
});
