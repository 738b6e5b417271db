/** The log as text. */
import type { FlashLine } from './flash-protocol.ts';

/** Time of day in the person's own time zone: `14:31:02.640`. @param at milliseconds since the Unix epoch */
export function timeText(at: number): string {
  const date = new Date(at);
  const digits = (value: number, count: number) => String(value).padStart(count, '0');
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map((value) => digits(value, 2)).join(':');
  return `${time}.${digits(date.getMilliseconds(), 3)}`;
}

/** As it is copied and saved; what the board itself said has a bar in front. */
export function logFileText(lines: readonly FlashLine[]): string {
  return lines.map(({ at, level, text }) => `${timeText(at)} ${level === 'board' ? '| ' : ''}${text}\n`).join('');
}
