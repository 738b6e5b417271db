/** How an exported file is called. */
import { localDate, localTime } from './time-stamp.ts';

/**
 * `wirebench-2026-11-20-14-03-05.txt`, in local time: sorts by time, and has no character that a file system refuses.
 * @param extension `bin` for the exact bytes of a port.
 */
export function exportFileName(date: Date, extension: 'txt' | 'csv' | 'bin'): string {
  return `wirebench-${localDate(date)}-${localTime(date, '-')}.${extension}`;
}
