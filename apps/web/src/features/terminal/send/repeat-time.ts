/** How often a message can be repeated, as it is typed. */
import { longestRepeat, shortestRepeat } from '@wirebench/serial';

/** In milliseconds; null when `text` is no time that a message can be repeated at. */
export function readRepeatTime(text: string): number | null {
  const value = Number(text);
  return /^\d+$/.test(text.trim()) && value >= shortestRepeat && value <= longestRepeat ? value : null;
}
