/** Numbers as the terminal and the crash views write them: thousands apart by a thin space, units of a thousand, one decimal from a thousand on. */
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

/** `212 B`, `48.2 KB`. */
export const amount = (bytes: number): string => scaled(bytes, ['B', 'KB', 'MB', 'GB']);

/** `18 B/s`, `8.4 kB/s`. */
export const rate = (bytesPerSecond: number): string => scaled(bytesPerSecond, ['B/s', 'kB/s', 'MB/s']);

/** `1 line`, `38 lines`. */
export const lines = (value: number): string => `${count(value)} ${value === 1 ? 'line' : 'lines'}`;
