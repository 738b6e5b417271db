import { random } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { quickLength, realFourier } from './fourier.ts';

/** The plain sum of the definition. */
function plain(samples: Float64Array, line: number): readonly [real: number, imaginary: number] {
  let [real, imaginary] = [0, 0];
  samples.forEach((sample, index) => {
    const angle = (-2 * Math.PI * ((index * line) % samples.length)) / samples.length;
    real += sample * Math.cos(angle);
    imaginary += sample * Math.sin(angle);
  });
  return [real, imaginary];
}

describe('Fourier transform', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 26, 30, 49, 64, 77, 97, 101, 143, 202, 520, 777, 1_000, 1_001])(
    'is the plain sum for %i samples',
    (size) => {
      const { next } = random(size);
      const samples = Float64Array.from({ length: size }, () => next() - 0.5);
      const { real, imaginary } = realFourier(samples);
      expect(real).toHaveLength(Math.floor(size / 2) + 1);
      for (let line = 0; line < real.length; line++) {
        const [re, im] = plain(samples, line);
        expect(real[line]).toBeCloseTo(re, 10);
        expect(imaginary[line]).toBeCloseTo(im, 10);
      }
    },
  );

  it('takes the next length that is quick', () => {
    expect([1, 5, 7, 9, 11, 13, 17, 1_025].map(quickLength)).toEqual([1, 5, 8, 10, 12, 16, 20, 1_280]);
  });
});
