/** Text of the time column: clock time, time since the log's start, or time since the previous line. */
import { stopwatchText } from '../../shared/format/durations.ts';

export const timeModes = ['off', 'clock', 'elapsed', 'delta'] as const;

export type TimeMode = (typeof timeModes)[number];

export const timeLabels = {
  off: 'Off',
  clock: 'Clock',
  elapsed: 'Since start',
  delta: 'Since previous line',
} satisfies Record<TimeMode, string>;

/** Part of a row that determines its time. `at` is in milliseconds since the Unix epoch. */
interface TimedRow {
  readonly sequence: number;
  readonly part: number;
  readonly at: number;
}

/**
 * Returns the time text of each of `rows`, which must be consecutive. Only the first row of a line has one, if its time is known. In delta
 * mode the first of `rows` has none, because the line before it is unknown.
 *
 * @param startedAt Arrival of the first line, in milliseconds since the Unix epoch. Null: unknown.
 */
export function rowTimes(rows: readonly TimedRow[], mode: TimeMode, startedAt: number | null): string[] {
  return rows.map((row, index) =>
    row.part > 0 || Number.isNaN(row.at) ? '' : timeOf(row, rows[index - 1], mode, startedAt),
  );
}

function timeOf(row: TimedRow, before: TimedRow | undefined, mode: TimeMode, startedAt: number | null): string {
  switch (mode) {
    case 'off':
      return '';
    case 'clock':
      return clockTime(row.at);
    case 'elapsed':
      return startedAt === null || Number.isNaN(startedAt) ? '' : stopwatchText(row.at - startedAt);
    case 'delta':
      return before === undefined || Number.isNaN(before.at) ? '' : `+${stopwatchText(row.at - before.at)}`;
  }
}

const digits = (value: number, length: number) => String(value).padStart(length, '0');

/**
 * Formats a time as `14:12:06.015`, in local time.
 *
 * @param at Milliseconds since the Unix epoch. NaN, an unknown time, is empty.
 */
export function clockTime(at: number): string {
  if (Number.isNaN(at)) {
    return '';
  }
  const date = new Date(at);
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => digits(part, 2)).join(':');
  return `${time}.${digits(date.getMilliseconds(), 3)}`;
}
