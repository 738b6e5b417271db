/** Formats times and numbers of a plot's axes. Their precision depends on the distance of the marks. */

import { apart } from '../../shared/format/numbers.ts';
import { clockTime } from '../console/row-times.ts';

/**
 * Formats a time as `14:12:06`, with milliseconds if marks are closer than a second.
 *
 * @param at Milliseconds since the Unix epoch.
 * @param step Distance of two marks, in milliseconds.
 */
export function tickTime(at: number, step: number): string {
  const whole = clockTime(at);
  return step < 1_000 ? whole : whole.slice(0, -4);
}

/** Width of a letter in the plot's font, `--font-mono` at 11 px, in px. */
const letterWidth = 6.6;

/**
 * Returns true if half of a text, which is centred below its mark, fits between that mark and an edge.
 *
 * @param room Px from the mark to the nearer edge.
 */
export const hasRoom = (text: string, room: number) => (text.length * letterWidth) / 2 <= room;

/**
 * Formats a number as `3 000` or `0.25`.
 *
 * @param step Distance of two marks.
 */
export function tickNumber(value: number, step: number): string {
  if (Math.abs(value) >= 1e7 || step < 1e-6) {
    return shortNumber(value);
  }
  const decimals = Math.min(String(step).split('.')[1]?.length ?? 0, 7);
  const [whole = '', part] = value.toFixed(decimals).split('.');
  return part === undefined ? apart(whole) : `${apart(whole)}.${part}`;
}

/** Formats a number for the legend with at most six significant digits, so that its width stays stable. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (value === 0 || (size >= 1e-3 && size < 1e6)) {
    return String(Number(value.toPrecision(6)));
  }
  return value.toExponential(3);
}
