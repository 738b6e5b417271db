/** Numbers as the terminal and the crash views write them: thousands apart by a thin space, sizes of `byte-sizes.ts`, rates in units of a thousand. */
import { count } from './digits.ts';

export { count };

function scaled(value: number, units: readonly string[]): string {
  let rest = value;
  let unit = 0;
  while (rest >= 999.95 && unit < units.length - 1) {
    rest /= 1_000;
    unit++;
  }
  return `${unit === 0 ? Math.round(rest) : rest.toFixed(1)} ${units[unit]}`;
}

export { sizeText as amount } from './byte-sizes.ts';

/** `18 B/s`, `8.4 kB/s`. */
export const rate = (bytesPerSecond: number): string => scaled(bytesPerSecond, ['B/s', 'kB/s', 'MB/s']);

/** `1 line`, `38 lines`. */
export const lines = (value: number): string => `${count(value)} ${value === 1 ? 'line' : 'lines'}`;
