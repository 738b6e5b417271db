/** Times below a plot and numbers beside it: as exact as the distance of the marks asks for. */
import { clockTime } from '../console/row-times.ts';
import { apart } from '../digits.ts';

/** `14:12:06`, with milliseconds where the marks are closer than a second. @param step between two marks, in ms. */
export function tickTime(at: number, step: number): string {
  const whole = clockTime(at);
  return step < 1_000 ? whole : whole.slice(0, -4);
}

/** Px of one letter of the plot's font, `--font-mono` at 11 px. */
const letterWidth = 6.6;

/** True: half of a text, which is centred below its mark, fits between that mark and an edge. @param room Px from the mark to the nearer edge. */
export const hasRoom = (text: string, room: number) => (text.length * letterWidth) / 2 <= room;

/** `3 000` or `0.25`. @param step between two marks */
export function tickNumber(value: number, step: number): string {
  if (Math.abs(value) >= 1e7 || step < 1e-6) {
    return shortNumber(value);
  }
  const decimals = Math.min(String(step).split('.')[1]?.length ?? 0, 7);
  const [whole = '', part] = value.toFixed(decimals).split('.');
  return part === undefined ? apart(whole) : `${apart(whole)}.${part}`;
}

/** A number as a legend has it: six digits at most, so that it does not jump about. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (value === 0 || (size >= 1e-3 && size < 1e6)) {
    return String(Number(value.toPrecision(6)));
  }
  return value.toExponential(3);
}
