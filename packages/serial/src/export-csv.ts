/** Exports the log as comma-separated values (RFC 4180), for spreadsheets and scripts. */
import { exportLines, type TextExportOptions } from './log-lines.ts';
import { epochText, localStamp } from './time-stamp.ts';
import type { Timeline } from './timeline.ts';

/** Exports the columns: local time, milliseconds since the Unix epoch, port, direction or notice level, and content. Unknown dates are left out. */
export function exportCsv(timeline: Timeline, options: TextExportOptions): Generator<Uint8Array<ArrayBuffer>, void> {
  const head = csvRecord(['time', 'epoch_ms', 'port', 'direction', options.content ?? 'text']);
  return exportLines(timeline, options, head, ({ at, isDated, port, kind, content }) =>
    csvRecord([localStamp(at, isDated), epochText(at, isDated), port, kind, content]),
  );
}

const NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/**
 * Text that a spreadsheet may take for a formula (OWASP, CSV injection). It is at the start of a field, or after a
 * character at which cells may be split.
 */
const FORMULA = /(^|[;\t\r\n])( *)([=+\-@＝＋－＠])/g;

/**
 * Formats one record with its line break. Fields are quoted where needed. A device's text must not be calculated by
 * the spreadsheet that opens the file, so an apostrophe keeps it text. Numbers stay numbers.
 */
export function csvRecord(fields: readonly string[]): string {
  return `${fields.map((field) => quoted(NUMBER.test(field) ? field : field.replaceAll(FORMULA, "$1$2'$3"))).join(',')}\r\n`;
}

function quoted(field: string): string {
  return /[",;\t\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
