/** The log as comma-separated values (RFC 4180), for spreadsheets and scripts. */
import { exportLines, type TextExportOptions } from './log-lines.ts';
import { localStamp } from './time-stamp.ts';
import type { Timeline } from './timeline.ts';

/** Columns: local time, milliseconds since the Unix epoch, port, direction or notice level, and the content. */
export function exportCsv(timeline: Timeline, options: TextExportOptions): Generator<Uint8Array<ArrayBuffer>, void> {
  const head = csvRecord(['time', 'epoch_ms', 'port', 'direction', options.content ?? 'text']);
  return exportLines(timeline, options, head, ({ at, port, kind, content }) =>
    csvRecord([localStamp(at), at.toFixed(3), port, kind, content]),
  );
}

const NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** What a spreadsheet may take for a formula, at the beginning or after what it may separate cells at (OWASP, CSV injection). */
const FORMULA = /(^|[;\t\r\n])( *)([=+\-@＝＋－＠])/g;

/**
 * One record with its line break. A field is quoted where it has to be. What a device sent must not be calculated by the
 * spreadsheet that the file is opened with: an apostrophe keeps it text. Numbers stay numbers.
 */
export function csvRecord(fields: readonly string[]): string {
  return `${fields.map((field) => quoted(NUMBER.test(field) ? field : field.replaceAll(FORMULA, "$1$2'$3"))).join(',')}\r\n`;
}

function quoted(field: string): string {
  return /[",;\t\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
