/** Parts of curves with the spectra that numpy computed (`spectrum.py`). */
import { expect } from 'vitest';
import { PointStore } from '../point-store.ts';
import { spectrumOf } from '../spectrum.ts';

export interface CurvePart {
  /** Milliseconds, ascending. */
  readonly times: readonly number[];
  readonly values: readonly number[];
}

export interface JudgedPart extends CurvePart {
  /** Distance of two frequencies, in Hz. */
  readonly step: number;
  readonly amplitudes: readonly number[];
}

export function storeOf({ times, values }: CurvePart): PointStore {
  const store = new PointStore();
  times.forEach((time, index) => {
    store.push(time, values[index] ?? 0, index);
  });
  return store;
}

/** Expects the spectrum of a part to be numpy's, up to a billionth of its largest value. */
export function expectEqual(part: JudgedPart): void {
  const found = spectrumOf(storeOf(part), part.times[0] ?? 0, (part.times.at(-1) ?? 0) + 1);
  expect(found?.points).toBe(part.times.length);
  expect(found?.step).toBeCloseTo(part.step, 9);
  expect(found?.amplitudes.length).toBe(part.amplitudes.length);
  const most = Math.max(...part.values.map(Math.abs));
  part.amplitudes.forEach((amplitude, index) => {
    expect(Math.abs((found?.amplitudes[index] ?? Number.NaN) - amplitude)).toBeLessThanOrEqual(1e-9 * most);
  });
}
