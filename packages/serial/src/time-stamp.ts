/** Formats points in time for people, in the machine's local time. */

/**
 * Formats `2026-11-20 14:03:05.123`, or `14:03:05.123` without a known date.
 *
 * @param at Milliseconds since the Unix epoch. NaN, an unknown time, is empty.
 */
export function localStamp(at: number, isDated = true): string {
  if (Number.isNaN(at)) {
    return '';
  }
  const date = new Date(at);
  const time = `${localTime(date, ':')}.${digits(date.getMilliseconds(), 3)}`;
  return isDated ? `${localDate(date)} ${time}` : time;
}

/** Formats `1763643785123.000`: milliseconds since the Unix epoch. An unknown time, or one without a date, is empty. */
export const epochText = (at: number, isDated = true): string => (isDated && !Number.isNaN(at) ? at.toFixed(3) : '');

/** Formats `2026-11-20`. */
export function localDate(date: Date): string {
  return `${digits(date.getFullYear(), 4)}-${digits(date.getMonth() + 1, 2)}-${digits(date.getDate(), 2)}`;
}

/** Formats `14:03:05` with the given separator. */
export function localTime(date: Date, separator: string): string {
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => digits(part, 2)).join(separator);
}

function digits(value: number, count: number): string {
  return `${value}`.padStart(count, '0');
}
