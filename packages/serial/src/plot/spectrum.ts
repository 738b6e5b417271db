/**
 * Spectrum of a part of a curve. Only points at even times are read, exactly as they are: straight lines between points make frequencies
 * that the curve does not have. The mean is taken off, and a periodic Hann window is laid over the samples.
 */
import type { PlottedSeries } from './point-store.ts';

/** Most samples of a spectrum: a million points take about a fifth of a second. */
const MAX_SAMPLES = 1 << 20;
/** Fewest samples. A shorter part has points enough for no more than a guess. */
const MIN_POINTS = 8;
/** Longest distance of two points against the shortest one, up to which their times are even. */
const MAX_STEP_RATIO = 1.01;

export interface Spectrum {
  /** Amplitudes from 0 Hz on, in the unit of the curve: a sine of amplitude 1 has a peak of 1. */
  readonly amplitudes: Float64Array<ArrayBuffer>;
  /** Distance of two frequencies, in Hz. */
  readonly step: number;
  /** Points that were read. */
  readonly points: number;
}

/** Reason for which a part of a curve has no spectrum. */
export type NoSpectrum =
  | { readonly reason: 'few-points' | 'one-time' | 'unknown-times' }
  /** @param shortest Distances of neighbouring points, in milliseconds. */
  | { readonly reason: 'uneven-times'; readonly shortest: number; readonly longest: number };

/**
 * Returns the spectrum of the points from one time up to another, or the reason for which there is none. Of the points, the newest
 * are read whose number is a power of two.
 *
 * @param from Milliseconds since the Unix epoch.
 */
export function spectrumOf(
  { points, hasUnknownTimes }: Pick<PlottedSeries, 'points' | 'hasUnknownTimes'>,
  from: number,
  to: number,
): Spectrum | NoSpectrum {
  const end = points.pointAt(to);
  const count = end - points.pointAt(from);
  if (count < MIN_POINTS) {
    return { reason: 'few-points' };
  }
  if (hasUnknownTimes) {
    return { reason: 'unknown-times' };
  }
  let samples = MIN_POINTS;
  while (samples * 2 <= count && samples < MAX_SAMPLES) {
    samples *= 2;
  }
  const first = end - samples;
  const span = points.timeOf(end - 1) - points.timeOf(first);
  if (span === 0) {
    return { reason: 'one-time' };
  }
  let shortest = Number.POSITIVE_INFINITY;
  let longest = 0;
  for (let point = first + 1; point < end; point++) {
    const step = points.timeOf(point) - points.timeOf(point - 1);
    shortest = Math.min(shortest, step);
    longest = Math.max(longest, step);
  }
  if (longest > MAX_STEP_RATIO * shortest) {
    return { reason: 'uneven-times', shortest, longest };
  }
  const real = Float64Array.from({ length: samples }, (_, index) => points.valueOf(first + index));
  const mean = real.reduce((sum, value) => sum + value, 0) / samples;
  let weights = 0;
  for (let index = 0; index < samples; index++) {
    const weight = 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / samples);
    weights += weight;
    real[index] = ((real[index] as number) - mean) * weight;
  }
  const imaginary = new Float64Array(samples);
  transform(real, imaginary);
  const half = samples / 2;
  const amplitudes = new Float64Array(half + 1);
  for (let index = 0; index <= half; index++) {
    const both = index === 0 || index === half ? 1 : 2;
    amplitudes[index] = (both * Math.hypot(real[index] as number, imaginary[index] as number)) / weights;
  }
  const rate = (samples - 1) / (span / 1_000);
  return { amplitudes, step: rate / samples, points: samples };
}

/** Spectrum of one series, thinned out for a screen. */
export interface SpectrumCurve {
  readonly id: number;
  /** Highest amplitude in each column of pixels, from 0 Hz up to `top`. */
  readonly columns: Float64Array<ArrayBuffer>;
  /** Highest frequency: half of the rate at which the curve was read, in Hz. */
  readonly top: number;
  /** Highest amplitude and its frequency. */
  readonly peak: { readonly frequency: number; readonly amplitude: number };
  readonly points: number;
}

/** Spectrum of a series, or the reason for which it has none. */
export type SeriesSpectrum = SpectrumCurve | ({ readonly id: number } & NoSpectrum);

/** Thins a spectrum out. @param width Columns of pixels, at least 1. */
export function spectrumCurve(id: number, { amplitudes, step, points }: Spectrum, width: number): SpectrumCurve {
  const columns = new Float64Array(width);
  let peak = 0;
  for (let index = 0; index < amplitudes.length; index++) {
    const amplitude = amplitudes[index] as number;
    const column = Math.min(width - 1, Math.floor((index * width) / amplitudes.length));
    columns[column] = Math.max(columns[column] as number, amplitude);
    peak = amplitude > (amplitudes[peak] as number) ? index : peak;
  }
  // With fewer frequencies than columns, each reaches up to the next.
  for (let column = 1; column < width && amplitudes.length < width; column++) {
    const index = Math.floor((column * amplitudes.length) / width);
    columns[column] = amplitudes[index] as number;
  }
  const top = step * (amplitudes.length - 1);
  return { id, columns, top, peak: { frequency: peak * step, amplitude: amplitudes[peak] as number }, points };
}

/** Transforms complex samples in place (Cooley and Tukey, radix 2). @param real Its length is a power of two. */
function transform(real: Float64Array, imaginary: Float64Array): void {
  const size = real.length;
  const swap = (column: Float64Array, one: number, other: number) => {
    const kept = column[one] as number;
    column[one] = column[other] as number;
    column[other] = kept;
  };
  for (let index = 1, mirrored = 0; index < size; index++) {
    let bit = size >> 1;
    for (; mirrored & bit; bit >>= 1) {
      mirrored ^= bit;
    }
    mirrored ^= bit;
    if (index < mirrored) {
      swap(real, index, mirrored);
      swap(imaginary, index, mirrored);
    }
  }
  const cosines = Float64Array.from({ length: size / 2 }, (_, index) => Math.cos((2 * Math.PI * index) / size));
  const sines = Float64Array.from({ length: size / 2 }, (_, index) => -Math.sin((2 * Math.PI * index) / size));
  for (let length = 2; length <= size; length *= 2) {
    const half = length / 2;
    const stride = size / length;
    for (let start = 0; start < size; start += length) {
      for (let offset = 0; offset < half; offset++) {
        const cosine = cosines[offset * stride] as number;
        const sine = sines[offset * stride] as number;
        const upper = start + offset;
        const lower = upper + half;
        const re = (real[lower] as number) * cosine - (imaginary[lower] as number) * sine;
        const im = (real[lower] as number) * sine + (imaginary[lower] as number) * cosine;
        real[lower] = (real[upper] as number) - re;
        imaginary[lower] = (imaginary[upper] as number) - im;
        real[upper] = (real[upper] as number) + re;
        imaginary[upper] = (imaginary[upper] as number) + im;
      }
    }
  }
}
