/**
 * Spectrum of a part of a curve. The points are read as they are, all of them: nothing is resampled, filled up or cut to a round number.
 * Evenly sampled points (`sampling.ts`) go through a Fourier transform under a window, points at uneven times through a Lomb–Scargle
 * periodogram. An entry of its own (`@wirebench/serial/spectrum`), loaded when a spectrum is first shown.
 */
import { realFourier } from './fourier.ts';
import { lombScargle, takeMean } from './lomb-scargle.ts';
import type { PlottedSeries } from './point-store.ts';
import { type NoSampling, type SampleTimes, type Sampling, samplingOf } from './sampling.ts';

export type { Sampling } from './sampling.ts';

/**
 * Weights that are laid over evenly sampled points, periodic ones. A rectangle weighs all alike. The flat top's amplitudes are right
 * between two lines, too.
 */
export type SpectrumWindow = 'hann' | 'rectangular' | 'blackman' | 'flat-top';

export interface SpectrumOptions {
  /** Default: `hann`. Points at uneven times have no window. */
  readonly window?: SpectrumWindow;
  /** Sampling rate that a person gives, in Hz, above 0. Null, the default: it is estimated from the times. */
  readonly rate?: number | null;
}

export interface Spectrum {
  /**
   * Amplitudes from 0 Hz on, in the unit of the curve: a sine of amplitude 1 has a peak of 1, the mean of the values is taken off. In
   * decibels: 20·log10 of them, where 0 dB is 1 unit. The last one is at half of the rate at most.
   */
  readonly amplitudes: Float64Array<ArrayBuffer>;
  /** Distance of two amplitudes, in Hz. */
  readonly step: number;
  /** Width of a bin, in Hz: rate ÷ points, or 1 ÷ span for uneven times, which have five amplitudes a bin. */
  readonly bin: number;
  /** Points that were read. */
  readonly points: number;
  /** Null: uneven times have none. */
  readonly window: SpectrumWindow | null;
  readonly sampling: Sampling;
}

/** Reason for which a part of a curve has no spectrum. */
export type NoSpectrum =
  | NoSampling
  /** The pattern of the times cannot tell frequencies apart. Distances of neighbouring points, in milliseconds. */
  | { readonly reason: 'uneven-times'; readonly shortest: number; readonly longest: number };

/** Points of a part of a curve, oldest first. */
export interface Samples extends SampleTimes {
  /** One for each time. */
  readonly values: Float64Array;
}

/** Half of the width of each window's main line, in bins. Below it, what is left of the mean is part of a line. */
const halfWidths: Readonly<Record<SpectrumWindow, number>> = { hann: 2, rectangular: 1, blackman: 3, 'flat-top': 5 };

/** Cosines of each window; the first one counts from its start (scipy.signal.windows, general_cosine). */
const windows: Readonly<Record<SpectrumWindow, readonly number[]>> = {
  hann: [0.5, -0.5],
  rectangular: [1],
  blackman: [0.42, -0.5, 0.08],
  'flat-top': [0.21557895, -0.41663158, 0.277263158, -0.083578947, 0.006947368],
};

/** Returns the spectrum of points, or the reason for which there is none. Points without a spectrum are no fault: nothing is thrown. */
export function spectrumOfSamples(samples: Samples, options: SpectrumOptions = {}): Spectrum | NoSpectrum {
  const { window = 'hann', rate = null } = options;
  const sampling = samplingOf(samples, rate);
  if ('reason' in sampling) {
    return sampling;
  }
  const { first, count } = sampling;
  const values = samples.values.slice(first, first + count);
  if (sampling.kind === 'even') {
    const step = sampling.rate / count;
    return { amplitudes: evenAmplitudes(values, windows[window]), step, bin: step, points: count, window, sampling };
  }
  const start = samples.times[first] as number;
  const times = samples.times.slice(first, first + count).map((time) => (time - start) / 1_000);
  const found = lombScargle(times, values, sampling.top);
  if (found === null) {
    const { shortest, longest } = sampling;
    return { reason: 'uneven-times', shortest, longest };
  }
  return { ...found, bin: 1 / (times[count - 1] as number), points: count, window: null, sampling };
}

/** Amplitude = 2·|X| ÷ sum of the window; at 0 Hz and at half of the rate, where a line has no mirror image, half of it. */
function evenAmplitudes(values: Float64Array, cosines: readonly number[]): Float64Array<ArrayBuffer> {
  const count = values.length;
  takeMean(values);
  let weights = 0;
  for (let index = 0; index < count; index++) {
    let weight = 0;
    for (let order = 0; order < cosines.length; order++) {
      weight += (cosines[order] as number) * Math.cos((2 * Math.PI * order * index) / count);
    }
    weights += weight;
    values[index] = (values[index] as number) * weight;
  }
  const { real, imaginary } = realFourier(values);
  const amplitudes = new Float64Array(real.length);
  for (let line = 0; line < amplitudes.length; line++) {
    const both = line === 0 || line * 2 === count ? 1 : 2;
    amplitudes[line] = (both * Math.hypot(real[line] as number, imaginary[line] as number)) / weights;
  }
  return amplitudes;
}

/**
 * Returns the spectrum of a series' points from one time up to another, or the reason for which there is none.
 *
 * @param from Milliseconds since the Unix epoch.
 */
export function spectrumOf(
  {
    points,
    hasUnknownTimes,
    clock,
  }: Pick<PlottedSeries, 'points' | 'hasUnknownTimes'> & Partial<Pick<PlottedSeries, 'clock'>>,
  from: number,
  to: number,
  options: SpectrumOptions = {},
): Spectrum | NoSpectrum {
  const first = points.pointAt(from);
  const count = points.pointAt(to) - first;
  const times = new Float64Array(count);
  const values = new Float64Array(count);
  const breaks: number[] = [];
  for (let index = 0; index < count; index++) {
    times[index] = points.timeOf(first + index);
    values[index] = points.valueOf(first + index);
    if (index > 0 && points.gapBefore(first + index)) {
      breaks.push(index);
    }
  }
  return spectrumOfSamples({ times, values, breaks, clock: hasUnknownTimes ? null : (clock ?? 'lines') }, options);
}

/** A line of a spectrum. */
export interface SpectrumLine {
  /** In Hz. */
  readonly frequency: number;
  readonly amplitude: number;
}

/** Spectrum of one series, thinned out for a screen. */
export interface SpectrumCurve extends Pick<Spectrum, 'bin' | 'points' | 'window' | 'sampling'> {
  readonly id: number;
  /** Highest amplitude in each column of pixels, from 0 Hz up to `top`. */
  readonly columns: Float64Array<ArrayBuffer>;
  /** Its frequency, in Hz. */
  readonly frequencies: Float64Array<ArrayBuffer>;
  /** Highest frequency, in Hz. */
  readonly top: number;
  /** The highest peaks, the highest first. Empty: nothing stands out. */
  readonly peaks: readonly SpectrumLine[];
}

/** Spectrum of a series, or the reason for which it has none. */
export type SeriesSpectrum = SpectrumCurve | ({ readonly id: number } & NoSpectrum);

/** Peaks that are named. */
const MAX_PEAKS = 3;
/** Distance from a higher peak from which a peak is one of its own, in bins: the main lines of all windows are narrower. */
const PEAK_DISTANCE = 10;
/** Height of a peak above the median line. Of a million lines of noise, the highest is about 4.5 times the median. */
const STANDING = 5;
/** Height below which a line is an error of rounding, as a part of the highest: −120 dB. */
const ROUNDING = 1e-6;

/**
 * Returns the height of a window's side lines at a distance in bins, as a part of their line, with room for a line between two bins. Those
 * of a rectangle fall as 1 ÷ distance, Hann's as its third power; Blackman's and the flat top's are lower.
 */
function sideLine(window: SpectrumWindow | null, distance: number): number {
  return 2 / (Math.PI * (window === 'rectangular' ? distance : distance * (distance * distance - 1)));
}

/** Returns the highest peaks that stand out of a spectrum, the highest first. */
export function peaksOf({ amplitudes, step, bin, window }: Spectrum): readonly SpectrumLine[] {
  const at = (line: number) => amplitudes[line] ?? 0;
  const median = amplitudes.slice().sort()[amplitudes.length >> 1] ?? 0;
  const first = Math.max(1, Math.round(((window === null ? 1 : halfWidths[window]) * bin) / step));
  const peaks: number[] = [];
  for (let turn = 0; turn < MAX_PEAKS; turn++) {
    const least = Math.max(STANDING * median, ROUNDING * at(peaks[0] ?? -1));
    let highest = -1;
    for (let line = first; line < amplitudes.length; line++) {
      const height = at(line);
      if (height <= (highest < 0 ? least : at(highest)) || height < at(line - 1) || height < at(line + 1)) {
        continue;
      }
      const isOwn = peaks.every((peak) => {
        const distance = (Math.abs(peak - line) * step) / bin;
        return distance > PEAK_DISTANCE && height > at(peak) * sideLine(window, distance);
      });
      highest = isOwn ? line : highest;
    }
    if (highest < 0) {
      break;
    }
    peaks.push(highest);
  }
  return peaks.map((line) => ({ frequency: line * step, amplitude: at(line) }));
}

/** Thins a spectrum out. @param width Columns of pixels, at least 1. */
export function spectrumCurve(id: number, spectrum: Spectrum, width: number): SpectrumCurve {
  const { amplitudes, step, bin, points, window, sampling } = spectrum;
  const columns = new Float64Array(width);
  const frequencies = new Float64Array(width);
  const last = Math.max(1, amplitudes.length - 1);
  const lineAt = (column: number) => (column / Math.max(1, width - 1)) * last;
  for (let column = 0; column < width; column++) {
    // With fewer lines than columns, each column has the nearest line.
    const middle = Math.round(lineAt(column));
    const from = Math.min(middle, Math.ceil(lineAt(column - 0.5)));
    const to = Math.max(middle, Math.ceil(lineAt(column + 0.5)) - 1);
    let highest = middle;
    for (let line = Math.max(0, from); line <= Math.min(last, to); line++) {
      highest = (amplitudes[line] as number) > (amplitudes[highest] as number) ? line : highest;
    }
    columns[column] = amplitudes[highest] as number;
    frequencies[column] = highest * step;
  }
  const top = step * (amplitudes.length - 1);
  return { id, columns, frequencies, top, peaks: peaksOf(spectrum), bin, points, window, sampling };
}

export interface SpectraQuery {
  /** Milliseconds since the Unix epoch. */
  readonly from: number;
  readonly to: number;
  /** Columns of pixels, at least 1. */
  readonly width: number;
  /** Series to read. */
  readonly series: readonly number[];
  readonly window: SpectrumWindow;
  /** Sampling rates that a person gave, in Hz, by series. */
  readonly rates: Readonly<Record<number, number>>;
}

/** Returns the spectra of series of numbers, or the reasons for which there are none. */
export function spectraOf(
  curves: readonly PlottedSeries[],
  { from, to, width, series, window, rates }: SpectraQuery,
): readonly SeriesSpectrum[] {
  return curves.flatMap((one) => {
    if (one.valueNames.size > 0 || !series.includes(one.id)) {
      return [];
    }
    const spectrum = spectrumOf(one, from, to, { window, rate: rates[one.id] ?? null });
    return ['reason' in spectrum ? { id: one.id, ...spectrum } : spectrumCurve(one.id, spectrum, width)];
  });
}
