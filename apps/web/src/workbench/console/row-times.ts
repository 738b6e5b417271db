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
  /** Time of the line above that begins the block of a line without a time. */
  readonly blockAt?: number;
}

/** Stands before the time of a line above. */
const ABOVE = '↑';

/**
 * Returns the time text of each of `rows`, which must be consecutive. Only the first row of a line has one, if its time or that of its block
 * is known. In delta mode the first of `rows` has none, because the line before it is unknown, and lines within a block have none.
 *
 * @param startedAt Arrival of the first line, in milliseconds since the Unix epoch. Null: unknown.
 */
export function rowTimes(rows: readonly TimedRow[], mode: TimeMode, startedAt: number | null): string[] {
  return rows.map((row, index) => {
    if (row.part > 0) {
      return '';
    }
    const text = timeOf(row, rows[index - 1], mode, startedAt);
    return Number.isNaN(row.at) && text !== '' ? `${ABOVE}${text}` : text;
  });
}

const knownTime = ({ at, blockAt = Number.NaN }: TimedRow): number => (Number.isNaN(at) ? blockAt : at);

function timeOf(row: TimedRow, before: TimedRow | undefined, mode: TimeMode, startedAt: number | null): string {
  const at = knownTime(row);
  if (Number.isNaN(at)) {
    return '';
  }
  switch (mode) {
    case 'off':
      return '';
    case 'clock':
      return clockTime(at);
    case 'elapsed':
      return startedAt === null || Number.isNaN(startedAt) ? '' : stopwatchText(at - startedAt);
    case 'delta': {
      const earlier = before === undefined ? Number.NaN : knownTime(before);
      return Number.isNaN(earlier) || Number.isNaN(row.at) ? '' : `+${stopwatchText(at - earlier)}`;
    }
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
