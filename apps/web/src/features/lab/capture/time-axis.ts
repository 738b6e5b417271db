/** The time axis of a capture: what stretch is shown, its graticule, and times in words. Nanoseconds from the first sample. */

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Px between two lines of the graticule at least. */
const lineDistance = 64;
/** Fewer nanoseconds than this are not shown: no chip samples so fast. */
const shortest = 100;

/** The next of 1, 2, 5, 10, … that is not below `least`. */
export function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10;
  return step * power;
}

/** Times of the lines, and what is between two. @param zero where the axis has its 0 @param width px */
export function graticule({ from, to }: Span, zero: number, width: number): { step: number; lines: readonly number[] } {
  const step = niceStep(((to - from) * lineDistance) / Math.max(width, lineDistance));
  const first = Math.ceil((from - zero) / step);
  const last = Math.floor((to - zero) / step);
  return {
    step,
    lines: Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => zero + (first + index) * step),
  };
}

/** `factor` times as long, with the time at `at` (0 to 1) where it was; never beyond what was captured. */
export function zoomed({ from, to }: Span, factor: number, at: number, end: number): Span {
  const length = Math.min(end, Math.max(shortest, (to - from) * factor));
  return within(from + (to - from) * at - length * at, length, end);
}

/** @param by in parts of what is shown */
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

/** `90.0 µs`, `−3 ms`. @param exact nanoseconds that matter: no more digits are written */
export function timeText(time: number, exact: number): string {
  const size = Math.abs(time);
  const { unit, length } = units.find((one) => size >= one.length * (1 - 1e-9)) ?? units[units.length - 1] ?? units[3];
  const digits = Math.min(3, Math.max(0, Math.ceil(-Math.log10(exact / length) - 1e-9)));
  return `${time < 0 ? '−' : ''}${(size / length).toFixed(digits)}\u202f${unit}`;
}

/** `11.1 kHz`. @param period nanoseconds, above 0 */
export function frequencyText(period: number): string {
  const hertz = 1e9 / period;
  const [value, unit] = hertz >= 1e6 ? [hertz / 1e6, 'MHz'] : hertz >= 1e3 ? [hertz / 1e3, 'kHz'] : [hertz, 'Hz'];
  return `${Number(value.toPrecision(3))}\u202f${unit}`;
}

/** `1.21 MS/s`. @param period nanoseconds */
export function rateText(period: number): string {
  return frequencyText(period).replace('Hz', 'S/s');
}
