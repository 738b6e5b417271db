/** Round times and numbers on the axes of lanes, and their texts. */
import { apart } from '../../../../shared/format/numbers.ts';
import { shortNumber, tickTime } from '../../../../workbench/plot/plot-times.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** Distances of times on an axis, in milliseconds. */
const timeSteps = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 30, 90, 365].map((count) => count * day),
];
/** Digits of a value without a range, and most digits that a double always holds. */
const shortDigits = 6;
const maxDigits = 15;
/** Most marks of an axis. */
const maxTicks = 1_000;

/** Marks of an axis, and their distance. */
export interface Ticks {
  readonly step: number;
  readonly values: readonly number[];
}

/** Returns round local times in a range, in milliseconds since the Unix epoch. @param most Most times. */
export function timeTicks(from: number, to: number, most: number): Ticks {
  const least = (to - from) / Math.max(1, most);
  const step = timeSteps.find((one) => one >= least) ?? 365 * day * Math.ceil(least / (365 * day));
  // Hours and days begin at local times.
  const shift = new Date(from).getTimezoneOffset() * minute;
  const first = Math.ceil((from - shift) / step);
  const count = Math.max(0, Math.floor((to - shift) / step) - first + 1);
  return {
    step,
    values: Array.from({ length: Math.min(count, maxTicks) }, (_, index) => (first + index) * step + shift),
  };
}

/** Formats a time on an axis; below a millisecond with a further digit. @param step Distance of two times. */
export function timeText(at: number, step: number): string {
  return step < 1 ? `${tickTime(at, step)}${Math.floor((at - Math.floor(at)) * 10)}` : tickTime(at, step);
}

/** Returns round numbers in a range. @param most Most numbers. */
export function numberTicks(low: number, high: number, most: number): Ticks {
  const least = (high - low) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((one) => one >= least) ?? 10 * power;
  const first = Math.ceil(low / step);
  const count = Math.max(0, Math.floor(high / step) - first + 1);
  return { step, values: Array.from({ length: Math.min(count, maxTicks) }, (_, index) => (first + index) * step) };
}

/** Formats the end of a scale. @param span Length of the scale: the number has as many decimals as a hundredth of it. */
export function scaleText(value: number, span: number): string {
  const decimals = Math.min(7, Math.max(0, -Math.floor(Math.log10(span / 100))));
  if (Math.abs(value) >= 1e7 || span < 1e-6) {
    return shortNumber(value);
  }
  return spaced(value.toFixed(decimals));
}

/** Formats a value with at most six significant digits, its thousands apart. */
export const valueNumber = (value: number): string => spaced(shortNumber(value));

/**
 * Formats a value that is seen in a range: with more than six digits if a hundredth of the range needs them.
 *
 * @param span Length of the range.
 */
export function spanNumber(value: number, span: number): string {
  const size = Math.abs(value);
  const decimals = span > 0 && Number.isFinite(span) ? -Math.floor(Math.log10(span / 100)) : 0;
  const needed = Math.floor(Math.log10(size)) + 1 + decimals;
  return size >= 1e-3 && size < 1e6 && needed > shortDigits && needed <= maxDigits
    ? spaced(value.toFixed(decimals))
    : valueNumber(value);
}

function spaced(text: string): string {
  const [whole = '', part] = text.split('.');
  return part === undefined ? apart(whole) : `${apart(whole)}.${part}`;
}
