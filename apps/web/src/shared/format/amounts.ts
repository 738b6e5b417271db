/** Counts in the notation of the terminal and the crash views: thousands separated by a thin space. */
import { count } from './digits.ts';

export { count };

/** `1 line`, `38 lines`. */
export const lines = (value: number): string => `${count(value)} ${value === 1 ? 'line' : 'lines'}`;
