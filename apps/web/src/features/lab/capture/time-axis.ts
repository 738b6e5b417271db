/**
 * Time axis of a capture: the shown span, its graticule, and texts for times. Times are nanoseconds from the first
 * sample.
 */

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Minimum distance between two lines of the graticule, in px. */
const lineDistance = 64;
/** Shortest span that is shown, in nanoseconds: no chip samples that fast. */
const shortest = 100;

/** Returns the smallest of 1, 2, 5, 10, … that is at least `least`. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10;
  return step * power;
}

/**
 * Returns the times of the lines, and the step between them.
 * @param zero Time of the axis's 0.
 * @param width In px.
 */
export function graticule({ from, to }: Span, zero: number, width: number): { step: number; lines: readonly number[] } {
  const step = niceStep(((to - from) * lineDistance) / Math.max(width, lineDistance));
  const first = Math.ceil((from - zero) / step);
  const last = Math.floor((to - zero) / step);
  return {
    step,
    lines: Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => zero + (first + index) * step),
  };
}

/** Scales the span by `factor`, keeps the time at the fraction `at` (0 to 1) in place, and stays within the capture. */
export function zoomed({ from, to }: Span, factor: number, at: number, end: number): Span {
  const length = Math.min(end, Math.max(shortest, (to - from) * factor));
  return within(from + (to - from) * at - length * at, length, end);
}

/** @param by Distance as a fraction of the span. */
export function panned({ from, to }: Span, by: number, end: number): Span {
  return within(from + (to - from) * by, to - from, end);
}

function within(from: number, length: number, end: number): Span {
  const begin = Math.min(Math.max(0, from), Math.max(0, end - length));
  return { from: begin, to: begin + length };
}

const units = [
  { unit: 's', length: 1e9 },
  { unit: 'ms', length: 1e6 },
  { unit: 'µs', length: 1e3 },
  { unit: 'ns', length: 1 },
] as const;

/**
 * Formats a time: `90.0 µs`, `−3 ms`.
 * @param exact Resolution in nanoseconds: finer digits are omitted.
 */
export function timeText(time: number, exact: number): string {
  const size = Math.abs(time);
  const { unit, length } = units.find((one) => size >= one.length * (1 - 1e-9)) ?? units[units.length - 1] ?? units[3];
  const digits = Math.min(3, Math.max(0, Math.ceil(-Math.log10(exact / length) - 1e-9)));
  return `${time < 0 ? '−' : ''}${(size / length).toFixed(digits)}\u202f${unit}`;
}

/**
 * Formats a frequency: `11.1 kHz`.
 * @param period In nanoseconds, above 0.
 */
export function frequencyText(period: number): string {
  const hertz = 1e9 / period;
  const [value, unit] = hertz >= 1e6 ? [hertz / 1e6, 'MHz'] : hertz >= 1e3 ? [hertz / 1e3, 'kHz'] : [hertz, 'Hz'];
  return `${Number(value.toPrecision(3))}\u202f${unit}`;
}

/**
 * Formats a sample rate: `1.21 MS/s`.
 * @param period In nanoseconds.
 */
export function rateText(period: number): string {
  return frequencyText(period).replace('Hz', 'S/s');
}
