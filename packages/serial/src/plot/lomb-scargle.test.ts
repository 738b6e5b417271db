import { random } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { lombScargle, sumsOf } from './lomb-scargle.ts';

const highest = (amplitudes: Float64Array) => amplitudes.indexOf(Math.max(...amplitudes));

describe('Lomb–Scargle periodogram', () => {
  it.each([
    [10, 5],
    [50, 20],
    [300, 1_000],
  ])('sums %i samples at %i lines as the plain sum does', (size, lines) => {
    const { next } = random(size);
    const turns = Float64Array.from({ length: size }, () => next() * 0.2).sort();
    const weights = Float64Array.from({ length: size }, () => next() / size);
    const { real, imaginary } = sumsOf(turns, weights, lines);
    for (let line = 0; line < lines; line++) {
      const angles = turns.map((turn) => -2 * Math.PI * line * turn);
      expect(real[line]).toBeCloseTo(
        angles.reduce((sum, angle, index) => sum + (weights[index] as number) * Math.cos(angle), 0),
        9,
      );
      expect(imaginary[line]).toBeCloseTo(
        angles.reduce((sum, angle, index) => sum + (weights[index] as number) * Math.sin(angle), 0),
        9,
      );
    }
  });

  it('finds two lines at random times, with their amplitudes, whatever the mean', () => {
    const { next } = random(7);
    const times = Float64Array.from({ length: 400 }, () => next() * 20).sort();
    const values = times.map(
      (time) => 1_000 + 2 * Math.sin(2 * Math.PI * 3 * time) + Math.sin(2 * Math.PI * 7.3 * time + 1),
    );
    const found = lombScargle(times, values, 10);
    const amplitudes = found?.amplitudes ?? new Float64Array();
    const step = found?.step ?? 0;
    expect(highest(amplitudes) * step).toBeCloseTo(3, 1);
    expect(amplitudes[highest(amplitudes)]).toBeCloseTo(2, 2);
    const upper = amplitudes.map((amplitude, line) => (line * step > 5 ? amplitude : 0));
    expect(highest(upper) * step).toBeCloseTo(7.3, 1);
    expect(upper[highest(upper)]).toBeCloseTo(1, 2);
  });

  it('has no line of a constant', () => {
    const times = Float64Array.of(0, 1, 2.5, 3, 4.2, 5, 6.1, 7.7, 8, 9.9);
    expect(
      Math.max(
        ...(lombScargle(
          times,
          times.map(() => 0.1),
          0.5,
        )?.amplitudes ?? [1]),
      ),
    ).toBe(0);
  });
});
