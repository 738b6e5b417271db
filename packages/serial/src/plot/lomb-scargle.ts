/**
 * Lomb–Scargle periodogram with a floating mean, for samples at uneven times (Zechmeister and Kürster 2009, "The generalised
 * Lomb-Scargle periodogram", equations 4 to 13, all weights equal). Each line is the sine and the constant that fit the samples best at
 * its frequency, so nothing is put between two samples.
 *
 * The pattern of the times makes lines of its own beside a strong one, a gap most of all. Lines that are surely there are therefore
 * taken off the samples, the strongest first, and drawn by themselves over what is left (prewhitening, as CLEAN: Roberts, Lehár and
 * Dreher 1987).
 */
import { type Complex, fourier, quickLength } from './fourier.ts';

/** Lines within one bin, which is 1 ÷ span. A peak is therefore at most a tenth of a bin beside its line. */
const LINES_A_BIN = 5;
/** Most lines that are taken off. */
const MAX_REMOVED = 8;
/** A line is surely there if noise has one as high in fewer than one of a thousand series. */
const MAX_CHANCE = 1e-3;
/** Smallest line that is taken off, as a part of the strongest. */
const MIN_REMOVED = 1e-3;
/**
 * Highest line of the pattern of times, as a part of 1, beyond one bin. Above it, a frequency and its image in the pattern look alike.
 */
const MAX_IMAGE = 0.8;
/** Smallest part of a sine or cosine that must be independent of the constant and of each other. */
const MIN_INDEPENDENT = 0.02;

export interface Periodogram {
  /** Amplitudes from 0 Hz on, in the unit of the values. Below 1 ÷ span there are none. */
  readonly amplitudes: Float64Array<ArrayBuffer>;
  /** Distance of two lines, in Hz. */
  readonly step: number;
}

/**
 * Returns the periodogram up to a frequency; null if the pattern of the times cannot tell frequencies apart.
 *
 * @param times In seconds, ascending, at least two different ones.
 * @param values As many. Their mean need not be zero.
 * @param top Highest frequency, in Hz.
 */
export function lombScargle(times: Float64Array, values: Float64Array, top: number): Periodogram | null {
  const count = times.length;
  const start = times[0] as number;
  const span = (times[count - 1] as number) - start;
  const step = 1 / (LINES_A_BIN * span);
  const lines = Math.floor(top / step) + 1;
  const turns = times.map((time) => (time - start) * step);
  // Sums of the times alone, up to twice the highest frequency: images are that far from their line.
  const pattern = sumsOf(turns, new Float64Array(count).fill(1 / count), 2 * lines);
  for (let line = LINES_A_BIN + 1; line < 2 * lines - LINES_A_BIN; line++) {
    if (Math.hypot(pattern.real[line] as number, pattern.imaginary[line] as number) > MAX_IMAGE) {
      return null;
    }
  }
  const left = values.slice();
  takeMean(left);
  const found: Removed[] = [];
  let fits = fitsOf(turns, left, pattern, lines);
  while (found.length < MAX_REMOVED && lines > LINES_A_BIN) {
    const highest = highestOf(fits.amplitudes);
    if ((fits.amplitudes[highest] as number) <= MIN_REMOVED * (found[0]?.amplitude ?? 0)) {
      break;
    }
    const variance = left.reduce((sum, value) => sum + value * value, 0) / count;
    const independent = lines / LINES_A_BIN;
    if (chanceOf(fits.explained[highest] as number, variance, count, independent) > MAX_CHANCE) {
      break;
    }
    if (found.some(({ at }) => Math.abs(at - highest) < LINES_A_BIN)) {
      // Two lines within a bin cannot be told apart.
      break;
    }
    const exact = exactLine(turns, left, highest, 1);
    takeLine(turns, left, exact);
    found.push(exact);
    // A line that was found while another was still there leans towards it. Each is found again with all others taken off.
    for (let index = 0; index < found.length && found.length > 1; index++) {
      const line = found[index] as Removed;
      takeLine(turns, left, line, -1);
      const again = exactLine(turns, left, line.at, 0.3);
      found[index] = again;
      takeLine(turns, left, again);
    }
    fits = fitsOf(turns, left, pattern, lines);
  }
  const { amplitudes } = fits;
  for (const { at, amplitude } of found) {
    // The nearest line has all of the amplitude.
    const middle = Math.round(at);
    for (let line = Math.max(LINES_A_BIN, middle - LINES_A_BIN); line <= middle + LINES_A_BIN && line < lines; line++) {
      const distance = (Math.PI * (line - middle)) / LINES_A_BIN;
      const shape = distance === 0 ? 1 : Math.sin(distance) / distance;
      amplitudes[line] = Math.max(amplitudes[line] as number, amplitude * shape);
    }
  }
  return { amplitudes, step };
}

/** A line that was taken off: its place in lines, its amplitude, and its sine. */
interface Removed {
  readonly at: number;
  readonly amplitude: number;
  readonly fit: Fit;
}

interface Fit {
  readonly cosine: number;
  readonly sine: number;
  readonly constant: number;
}

interface Fits {
  readonly amplitudes: Float64Array<ArrayBuffer>;
  /** Part of the variance that each line explains, in the square of the unit. */
  readonly explained: Float64Array<ArrayBuffer>;
}

/** Fits a sine and a constant at each line. @param values Their mean is zero. */
function fitsOf(turns: Float64Array, values: Float64Array, pattern: Complex, lines: number): Fits {
  const count = values.length;
  const sums = sumsOf(
    turns,
    values.map((value) => value / count),
    lines,
  );
  const amplitudes = new Float64Array(lines);
  const explained = new Float64Array(lines);
  for (let line = LINES_A_BIN; line < lines; line++) {
    const c = pattern.real[line] as number;
    const s = -(pattern.imaginary[line] as number);
    const cc = (1 + (pattern.real[2 * line] as number)) / 2 - c * c;
    const ss = (1 - (pattern.real[2 * line] as number)) / 2 - s * s;
    const cs = -(pattern.imaginary[2 * line] as number) / 2 - c * s;
    const yc = sums.real[line] as number;
    const ys = -(sums.imaginary[line] as number);
    const [cosine, sine] = solved(cc, ss, cs, yc, ys);
    amplitudes[line] = Math.hypot(cosine, sine);
    explained[line] = cosine * yc + sine * ys;
  }
  return { amplitudes, explained };
}

/** Solves the normal equations of cosine and sine. Where they cannot be told apart, at half the rate, only what they share is fitted. */
function solved(cc: number, ss: number, cs: number, yc: number, ys: number): readonly [cosine: number, sine: number] {
  const determinant = cc * ss - cs * cs;
  if (determinant > MIN_INDEPENDENT) {
    return [(yc * ss - ys * cs) / determinant, (ys * cc - yc * cs) / determinant];
  }
  const larger = (cc + ss) / 2 + Math.hypot((cc - ss) / 2, cs);
  if (larger < MIN_INDEPENDENT) {
    return [0, 0];
  }
  const angle = Math.atan2(2 * cs, cc - ss) / 2;
  const shared = (yc * Math.cos(angle) + ys * Math.sin(angle)) / larger;
  return [shared * Math.cos(angle), shared * Math.sin(angle)];
}

/** Returns the chance that noise of this variance has such a line among independent ones (Zechmeister and Kürster 2009, section 4). */
function chanceOf(explained: number, variance: number, count: number, independent: number): number {
  if (!(explained > 0 && variance > 0)) {
    return 1;
  }
  const single = (1 - Math.min(1, explained / variance)) ** ((count - 3) / 2);
  return Math.min(1, independent * single);
}

function highestOf(amplitudes: Float64Array): number {
  let highest = 0;
  for (let line = 1; line < amplitudes.length; line++) {
    highest = (amplitudes[line] as number) > (amplitudes[highest] as number) ? line : highest;
  }
  return highest;
}

/** Finds a line about a place by narrowing to a thousandth of the distance of two lines (golden section). */
function exactLine(turns: Float64Array, values: Float64Array, near: number, reach: number): Removed {
  const ratio = (Math.sqrt(5) - 1) / 2;
  let low = near - reach;
  let high = near + reach;
  let [lower, upper] = [high - ratio * (high - low), low + ratio * (high - low)];
  let [lowerFit, upperFit] = [fitAt(turns, values, lower), fitAt(turns, values, upper)];
  while (high - low > 1e-3) {
    if (lowerFit.explained > upperFit.explained) {
      high = upper;
      [upper, upperFit] = [lower, lowerFit];
      lower = high - ratio * (high - low);
      lowerFit = fitAt(turns, values, lower);
    } else {
      low = lower;
      [lower, lowerFit] = [upper, upperFit];
      upper = low + ratio * (high - low);
      upperFit = fitAt(turns, values, upper);
    }
  }
  const at = (low + high) / 2;
  const fit = fitAt(turns, values, at);
  return { at, amplitude: Math.hypot(fit.cosine, fit.sine), fit };
}

function fitAt(turns: Float64Array, values: Float64Array, at: number): Fit & { readonly explained: number } {
  const count = turns.length;
  let [c, s, c2, s2, yc, ys] = [0, 0, 0, 0, 0, 0];
  for (let index = 0; index < count; index++) {
    const angle = 2 * Math.PI * at * (turns[index] as number);
    const cosine = Math.cos(angle);
    const sine = Math.sin(angle);
    const value = values[index] as number;
    c += cosine;
    s += sine;
    c2 += cosine * cosine - sine * sine;
    s2 += 2 * cosine * sine;
    yc += value * cosine;
    ys += value * sine;
  }
  [c, s, c2, s2, yc, ys] = [c / count, s / count, c2 / count, s2 / count, yc / count, ys / count];
  const [cosine, sine] = solved((1 + c2) / 2 - c * c, (1 - c2) / 2 - s * s, s2 / 2 - c * s, yc, ys);
  return { cosine, sine, constant: -cosine * c - sine * s, explained: cosine * yc + sine * ys };
}

/** Takes a line off the values. @param times −1 puts it back. */
function takeLine(turns: Float64Array, values: Float64Array, { at, fit }: Removed, times: 1 | -1 = 1): void {
  for (let index = 0; index < values.length; index++) {
    const angle = 2 * Math.PI * at * (turns[index] as number);
    const line = fit.constant + fit.cosine * Math.cos(angle) + fit.sine * Math.sin(angle);
    values[index] = (values[index] as number) - times * line;
  }
}

/** Takes the mean off values. A constant becomes exactly zero. */
export function takeMean(values: Float64Array): void {
  const first = values[0] as number;
  let sum = 0;
  for (const value of values) {
    sum += value - first;
  }
  const mean = sum / values.length;
  for (let index = 0; index < values.length; index++) {
    values[index] = (values[index] as number) - first - mean;
  }
}

/** Grid points to each side over which a sample is spread. The sums are right to about 1 part in 10 to the 11th. */
const SPREAD = 11;

/**
 * Returns Σ w(j)·exp(−2πi·k·u(j)) for k from 0 up to a number of lines, by spreading the samples over a grid of twice as many points
 * (Greengard and Lee 2004, "Accelerating the nonuniform fast Fourier transform").
 *
 * @param turns u, each from 0 up to below 1.
 */
export function sumsOf(turns: Float64Array, weights: Float64Array, lines: number): Complex {
  const size = quickLength(Math.max(2 * lines, 4 * SPREAD));
  const centre = Math.floor(lines / 2);
  const width = (Math.PI * SPREAD) / (lines * lines * (size / lines) * (size / lines - 0.5));
  const grid: Complex = { real: new Float64Array(size), imaginary: new Float64Array(size) };
  for (let index = 0; index < turns.length; index++) {
    const turn = turns[index] as number;
    const weight = weights[index] as number;
    // The lines are counted from their middle.
    const angle = -2 * Math.PI * ((centre * turn) % 1);
    const real = weight * Math.cos(angle);
    const imaginary = weight * Math.sin(angle);
    const place = turn * size;
    const nearest = Math.round(place);
    for (let at = nearest - SPREAD; at <= nearest + SPREAD; at++) {
      const distance = (2 * Math.PI * (at - place)) / size;
      const share = Math.exp((-distance * distance) / (4 * width));
      const cell = at < 0 ? at + size : at % size;
      grid.real[cell] = (grid.real[cell] as number) + real * share;
      grid.imaginary[cell] = (grid.imaginary[cell] as number) + imaginary * share;
    }
  }
  const spread = fourier(grid);
  const sums: Complex = { real: new Float64Array(lines), imaginary: new Float64Array(lines) };
  const scale = Math.sqrt(Math.PI / width) / size;
  for (let line = 0; line < lines; line++) {
    const shifted = line - centre;
    const cell = shifted < 0 ? shifted + size : shifted;
    const factor = scale * Math.exp(shifted * shifted * width);
    sums.real[line] = (spread.real[cell] as number) * factor;
    sums.imaginary[line] = (spread.imaginary[cell] as number) * factor;
  }
  return sums;
}
