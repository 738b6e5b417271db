/** Exports the log as comma-separated values (RFC 4180), for spreadsheets and scripts. */
import { FrameColumns } from './frames/frame-columns.ts';
import { formatLines, hexContent, type TextExportOptions } from './log-lines.ts';
import { epochText, localStamp } from './time-stamp.ts';
import type { Timeline } from './timeline.ts';

/** Lines that are looked through for names of fields before others have a turn. */
const SLICE_LINES = 1_024;

/**
 * Exports the columns: local time, milliseconds since the Unix epoch, port, direction or notice level, and content.
 * Unknown dates are left out. A log with frames has their sender, message, state and fields behind them, and binary
 * frames are in hex.
 */
export function* exportCsv(timeline: Timeline, options: TextExportOptions): Generator<Uint8Array<ArrayBuffer>, void> {
  const end = timeline.endSequence;
  const columns = new FrameColumns();
  let looked = 0;
  for (const { channel, line } of timeline.mayHaveFrames ? timeline.linesFrom(0, end) : []) {
    columns.add(channel.frameAt(line));
    if (++looked % SLICE_LINES === 0) {
      yield new Uint8Array();
    }
  }
  const fields = columns.isEmpty ? null : columns;
  const head = csvRecord(['time', 'epoch_ms', 'port', 'direction', options.content ?? 'text', ...(fields?.head ?? [])]);
  yield* formatLines(timeline.linesFrom(0, end), options, head, ({ at, isDated, port, kind, content }, position) => {
    const framed = fields === null ? null : position.channel.frameAt(position.line);
    const isBinary = framed !== null && !framed.isText;
    return csvRecord([
      localStamp(at, isDated),
      epochText(at, isDated),
      port,
      kind,
      isBinary ? hexContent(position.channel, position.line) : content,
      ...(fields?.cells(framed) ?? []),
    ]);
  });
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
