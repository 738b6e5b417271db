import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PointStore } from './point-store.ts';
import { type Spectrum, spectrumCurve, spectrumOf } from './spectrum.ts';

interface Vector {
  readonly case: string;
  readonly kind: 'uniform' | 'length' | 'window' | 'burst' | 'uneven' | 'few';
  readonly note: string;
  readonly window?: 'hann' | 'flattop' | 'boxcar';
  readonly rate: number;
  readonly highest_frequency: number;
  readonly nearly_nothing_above: number;
  readonly peaks: readonly {
    readonly frequency: number;
    readonly within: number;
    readonly amplitude: number;
    readonly amplitude_tolerance: number;
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

/** Arrival of the first sample, in milliseconds since the Unix epoch. */
const start = Date.UTC(2026, 10, 20, 13, 0, 0);

function spectrum(samples: Vector['samples'], hasUnknownTimes = false) {
  const points = new PointStore();
  samples.forEach(([seconds, value], index) => {
    points.push(start + seconds * 1_000, value, index);
  });
  return spectrumOf({ points, hasUnknownTimes }, start, start + 1_000_000);
}

const linesOf = ({ amplitudes, step }: Spectrum) =>
  [...amplitudes].map((amplitude, index) => ({ frequency: index * step, amplitude }));

/** Expects the peaks of a vector within one bin, and nothing above its highest frequency. */
function expectPeaks(found: Spectrum, { peaks, highest_frequency }: Vector): void {
  const lines = linesOf(found);
  for (const { frequency, amplitude, amplitude_tolerance } of peaks) {
    const near = lines.filter((line) => Math.abs(line.frequency - frequency) < 3 * found.step);
    const peak = near.reduce((one, other) => (other.amplitude > one.amplitude ? other : one));
    expect(Math.abs(peak.frequency - frequency)).toBeLessThanOrEqual(found.step);
    expect(Math.abs(peak.amplitude - amplitude)).toBeLessThanOrEqual(amplitude_tolerance);
  }
  expect(lines.at(-1)?.frequency).toBeLessThanOrEqual(highest_frequency * 1.001);
}

const isDrawn = ({ kind, window }: Vector) => kind === 'uniform' || kind === 'length' || window === 'boxcar';

describe('spectrum', () => {
  it.each(vectors.filter(isDrawn))('has the peaks of scipy: $case, $note', (vector) => {
    const found = spectrum(vector.samples);
    if ('reason' in found) {
      throw new Error(found.reason);
    }
    expectPeaks(found, vector);
    if (found.points === vector.samples.length) {
      const near = 10 * found.step;
      const others = linesOf(found).filter(({ frequency }) =>
        vector.peaks.every((peak) => Math.abs(frequency - peak.frequency) > near),
      );
      const most = Math.max(...others.map(({ amplitude }) => amplitude));
      expect(most).toBeLessThanOrEqual(1.05 * vector.nearly_nothing_above);
    }
  });

  it.each(vectors.filter(({ kind }) => kind === 'burst' || kind === 'uneven'))(
    'is not drawn where the times are uneven: $case, $note',
    ({ samples }) => {
      expect(spectrum(samples)).toMatchObject({ reason: 'uneven-times' });
    },
  );

  it('says how far apart uneven points are', () => {
    const burst = vectors.find(({ case: name }) => name === 'spectrum-A-burst-16');
    const found = spectrum(burst?.samples ?? []);
    expect(found).toMatchObject({ reason: 'uneven-times', shortest: 0 });
    expect('longest' in found && found.longest).toBeCloseTo(16, 2);
  });

  it('needs eight points, at times that are known and differ', () => {
    const few = vectors.find(({ case: name }) => name === 'spectrum-A-few-three');
    const oneTime = vectors.find(({ case: name }) => name === 'spectrum-A-one-time');
    expect(spectrum(few?.samples ?? [])).toEqual({ reason: 'few-points' });
    expect(spectrum(oneTime?.samples ?? [])).toEqual({ reason: 'one-time' });
    expect(spectrumOf({ points: new PointStore(), hasUnknownTimes: false }, 0, 100)).toEqual({ reason: 'few-points' });
    expect(spectrum(vectors[0]?.samples ?? [], true)).toEqual({ reason: 'unknown-times' });
  });

  it('has no amplitude for values that do not change', () => {
    const constant = vectors.find(({ case: name }) => name === 'spectrum-A-constant');
    const found = spectrum(constant?.samples ?? []);
    expect('amplitudes' in found && Math.max(...found.amplitudes)).toBe(0);
  });

  it('reads the newest points whose number is a power of two', () => {
    const samples = Array.from({ length: 1_100 }, (_, index) => {
      const hz = index < 76 ? 400 : 50;
      return [index / 1_000, Math.sin((2 * Math.PI * hz * index) / 1_000)] as const;
    });
    const found = spectrum(samples);
    expect(found).toMatchObject({ points: 1_024 });
    const high = 'amplitudes' in found ? linesOf(found).filter(({ frequency }) => frequency > 300) : [];
    expect(Math.max(...high.map(({ amplitude }) => amplitude))).toBeLessThan(1e-3);
  });

  it('is thinned out to the highest amplitude of each column', () => {
    const amplitudes = Float64Array.from([0, 5, 1, 2, 9, 3, 4, 1]);
    const thinned = spectrumCurve(3, { amplitudes, step: 10, points: 14 }, 4);
    expect([...thinned.columns]).toEqual([5, 2, 9, 4]);
    expect(thinned).toMatchObject({ id: 3, top: 70, peak: { frequency: 40, amplitude: 9 }, points: 14 });
    expect([...spectrumCurve(3, { amplitudes: Float64Array.of(1, 2), step: 1, points: 8 }, 4).columns]).toEqual([
      1, 1, 2, 2,
    ]);
  });
});
