/**
 * Exports readings as CSV, one column for each in the order of the JKit. Names come from any author, so they are
 * escaped.
 */
import type { ChipReading } from '@wirebench/contract/chips';
import type { History } from './device-store.ts';

/** Returns one line for each time (RFC 4180), times as ISO 8601. A failed reading is empty. */
export function readingsCsv(
  readings: readonly Pick<ChipReading, 'name' | 'unit'>[],
  { times, values }: History,
): string {
  const head = ['time', ...readings.map(({ name, unit }) => cell(unit === '' ? name : `${name} (${unit})`))];
  const rows = times.map((at, row) =>
    [new Date(at).toISOString(), ...readings.map((_, column) => number(values[column]?.[row]))].join(','),
  );
  return [head.join(','), ...rows, ''].join('\r\n');
}

/**
 * Escapes a cell. Spreadsheets evaluate text that begins with one of these characters, and an apostrophe prevents
 * that.
 */
function cell(text: string): string {
  const plain = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

const number = (value: number | undefined) => (value === undefined || Number.isNaN(value) ? '' : String(value));
