import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PointStore } from './point-store.ts';
import { spectrumCurve, spectrumOf } from './spectrum.ts';
import { type CurvePart, expectEqual, type JudgedPart, storeOf } from './testing/judged-part.ts';

const golden: readonly (JudgedPart & { readonly name: string })[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'testing', 'spectra.json'), 'utf8'),
);

const spectrum = (part: CurvePart) => spectrumOf(storeOf(part), part.times[0] ?? 0, (part.times.at(-1) ?? 0) + 1);

const peakOf = ({ amplitudes, step }: NonNullable<ReturnType<typeof spectrum>>) =>
  amplitudes.indexOf(Math.max(...amplitudes)) * step;

describe('spectrum', () => {
  it.each(golden)('equals that of numpy: $name', (part) => {
    expectEqual(part);
  });

  it('has its peak at the frequency of a sine, as high as the sine', () => {
    const times = Array.from({ length: 1_000 }, (_, index) => index);
    const found = spectrum({ times, values: times.map((time) => 3 * Math.sin((2 * Math.PI * 50 * time) / 1_000)) });
    expect(found).not.toBeNull();
    if (found !== null) {
      expect(Math.abs(peakOf(found) - 50)).toBeLessThan(found.step);
      expect(Math.max(...found.amplitudes)).toBeGreaterThan(2.5);
      expect(Math.max(...found.amplitudes)).toBeLessThanOrEqual(3.01);
      expect(found.amplitudes[0]).toBeLessThan(0.01);
    }
  });

  it('is that of the part alone', () => {
    const times = Array.from({ length: 2_000 }, (_, index) => index);
    const store = storeOf({
      times,
      values: times.map((time) => Math.sin((2 * Math.PI * (time < 1_000 ? 20 : 90) * time) / 1_000)),
    });
    const [one, other] = [spectrumOf(store, 0, 1_000), spectrumOf(store, 1_000, 2_000)];
    expect(one?.points).toBe(1_000);
    expect([one, other].map((found) => found && Math.round(peakOf(found) / 10) * 10)).toEqual([20, 90]);
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

  it('needs eight points, at more than one time', () => {
    expect(spectrum({ times: [0, 1, 2, 3, 4, 5, 6], values: [1, 2, 1, 2, 1, 2, 1] })).toBeNull();
    expect(spectrum({ times: Array(9).fill(5), values: Array(9).fill(1) })).toBeNull();
    expect(spectrumOf(new PointStore(), 0, 100)).toBeNull();
  });
});
