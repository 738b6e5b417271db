/** Parses the repeat interval of the send bar. */
import { longestRepeat, shortestRepeat } from '@wirebench/serial';

/** Returns the interval in milliseconds, or null if `text` is not an integer within the limits. */
export function readRepeatTime(text: string): number | null {
  const value = Number(text);
  return /^\d+$/.test(text.trim()) && value >= shortestRepeat && value <= longestRepeat ? value : null;
}

export const repeatTimeFault = `Enter a repeat interval from ${shortestRepeat} to ${longestRepeat} ms.`;
