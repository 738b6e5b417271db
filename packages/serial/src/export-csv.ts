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

/** One record with its line break. A field is quoted where it has to be. */
export function csvRecord(fields: readonly string[]): string {
  return `${fields.map((field) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',')}\r\n`;
}
