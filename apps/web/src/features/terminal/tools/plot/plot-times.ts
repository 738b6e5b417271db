/** Times below a plot: as exact as the distance of the marks asks for. */
import { clockTime } from '../../../../workbench/console/row-times.ts';

/** `14:12:06`, with milliseconds where the marks are closer than a second. @param step between two marks, in ms. */
export function tickTime(at: number, step: number): string {
  const whole = clockTime(at);
  return step < 1_000 ? whole : whole.slice(0, -4);
}

/** A number as a legend has it: six digits at most, so that it does not jump about. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (value === 0 || (size >= 1e-3 && size < 1e6)) {
    return String(Number(value.toPrecision(6)));
  }
  return value.toExponential(3);
}
