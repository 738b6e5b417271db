/** Numbers and sentences of spectra: frequencies, decibels, where a rate came from, and why a curve has no spectrum. */
import type { NoSpectrum, Sampling, SpectrumCurve, SpectrumWindow } from '@wirebench/serial/spectrum';
import { counted } from '../../../../shared/format/numbers.ts';
import { valueNumber } from './ticks.ts';

export const windowNames = {
  hann: 'Hann',
  rectangular: 'Rectangular',
  blackman: 'Blackman',
  'flat-top': 'Flat top',
} satisfies Record<SpectrumWindow, string>;

const toDigits = (value: number, digits: number) => valueNumber(Number(value.toPrecision(digits)));

/** Formats a frequency to a tenth of a bin or so: `120.1 Hz`. @param bin In Hz. */
export function frequencyText(frequency: number, bin: number): string {
  return `${frequencyNumber(frequency, bin)} Hz`;
}

export function frequencyNumber(frequency: number, bin: number): string {
  const decimals = Math.min(9, Math.max(0, Math.ceil(-Math.log10(bin / 3))));
  return valueNumber(Number(frequency.toFixed(decimals)));
}

export const amplitudeNumber = (amplitude: number): string => toDigits(amplitude, 3);

/** Decibels of an amplitude, where 0 dB is 1 unit. */
export const decibels = (amplitude: number): number => 20 * Math.log10(amplitude);

export function decibelNumber(value: number): string {
  return value === Number.NEGATIVE_INFINITY ? '−∞' : value.toFixed(1).replace('-', '−');
}

/** Names the window, the points, the width of a bin, and the reference: `Hann window, 1 024 points, 0.98 Hz a bin.` */
export function spectrumFacts({ window, points, bin }: SpectrumCurve, unit: string): string {
  const shape = window === null ? 'No window' : `${windowNames[window]} window`;
  return `${shape}, ${counted(points, 'point')}, ${toDigits(bin, 2)} Hz a bin, 0 dB = 1${unit === '' ? '' : ` ${unit}`}.`;
}

const clocks = {
  lines: 'the times of the lines',
  board: 'the times of the board',
  adapter: 'the time stamps of the adapter',
  mixed: 'the times of the lines and of the board',
} as const;

/** Says where the rate came from, and which gaps there are. */
export function rateText(sampling: Sampling): string {
  const gaps =
    sampling.gaps === 0
      ? sampling.kind === 'even'
        ? 'No gaps.'
        : ''
      : `${counted(sampling.gaps, 'gap')}${sampling.kind === 'even' ? ': the longest part without one is read.' : ', not drawn across.'}`;
  return `${sourceText(sampling)} ${gaps}`.trim();
}

function sourceText(sampling: Sampling): string {
  const clock = clocks[sampling.clock ?? 'lines'];
  if (sampling.kind === 'uneven') {
    const spread = `${toDigits(sampling.shortest, 3)} to ${toDigits(sampling.longest, 3)} ms apart`;
    return `About ${toDigits(sampling.rate, 3)} points a second, ${spread}, read at ${clock} (Lomb–Scargle).`;
  }
  if (sampling.from === 'given') {
    return `Rate ${valueNumber(sampling.rate)} Hz, as you set it.`;
  }
  const { rate, uncertainty, jitter, bursts } = sampling;
  // Decimals that are sure, at most four.
  const decimals = uncertainty > 0 ? Math.min(4, Math.max(0, Math.ceil(-Math.log10(uncertainty)))) : 4;
  const estimate = `Rate about ${valueNumber(Number(rate.toFixed(decimals)))} Hz, estimated from`;
  const spread = jitter < 0.001 ? 'no jitter' : `jitter ${toDigits(jitter, 2)} ms`;
  return sampling.from === 'bursts'
    ? `${estimate} ${counted(sampling.count, 'point')} in ${counted(bursts, 'burst')}, ${spread}.`
    : `${estimate} ${clock}, ${spread}.`;
}

const byBoard = 'Set the rate, or let the board send its time with each value, as in >name:1200:21.5.';

/** Says why a curve has no spectrum, and what to do. */
export function noSpectrumText(missing: NoSpectrum): string {
  switch (missing.reason) {
    case 'few-points':
      return `Too few points${missing.gaps > 0 ? ' between two gaps' : ''}: a spectrum needs 8. Show a longer part, or wait for more.`;
    case 'one-time':
      return `All points came at one time, so their rate is not known. ${byBoard}`;
    case 'unknown-times':
      return 'This log has no times, so the rate of its points is not known. Set the rate, or mark the times if its lines have some.';
    case 'few-bursts':
      return `The points came at ${counted(missing.bursts, 'time')}. A rate is estimated from 20 on. Show a longer part, or set the rate.`;
    case 'uneven-bursts':
      return `The points came in bursts that are ${toDigits(missing.late, 2)} ms early or late, too much to estimate a rate. Show a longer part, or set the rate.`;
    case 'uneven-times':
      return `The points are ${toDigits(missing.shortest, 3)} to ${toDigits(missing.longest, 3)} ms apart. Such times would show frequencies that are not there. ${byBoard}`;
  }
}

/** Names places of peaks. */
export const peakNames = ['1st peak', '2nd peak', '3rd peak'] as const;
