import { localDate, localTime } from './time-stamp.ts';

/**
 * Names an exported file by local time: `wirebench-2026-11-20-14-03-05.txt`. Names sort by time, and all file systems
 * accept their characters.
 *
 * @param extension `bin` for the exact bytes of a port.
 */
export function exportFileName(date: Date, extension: 'txt' | 'csv' | 'bin'): string {
  return `wirebench-${localDate(date)}-${localTime(date, '-')}.${extension}`;
}
