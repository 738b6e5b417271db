/** Exports the log as comma-separated values (RFC 4180), for spreadsheets and scripts. */
import { FrameColumns } from './frames/frame-columns.ts';
import { formatLines, hexContent, type LinePosition, type TextExportOptions } from './log-lines.ts';
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
  const table = new CsvTable(options);
  yield* timeline.mayHaveFrames ? table.look(timeline.linesFrom(0, end)) : [];
  yield* table.export(timeline.linesFrom(0, end));
}

/** A table that may be made in parts: all lines are looked through first, and are then exported. */
export class CsvTable {
  readonly #options: TextExportOptions;
  readonly #columns = new FrameColumns();
  #hasHead = false;
  #frames = 0;

  constructor(options: TextExportOptions = {}) {
    this.#options = options;
  }

  /** Number of whole frames among the lines that were looked through. */
  get frames(): number {
    return this.#frames;
  }

  /** Looks for the names of fields. Yields nothing but turns for others. */
  *look(lines: Iterable<LinePosition>): Generator<Uint8Array<ArrayBuffer>, void> {
    let looked = 0;
    for (const { channel, line } of lines) {
      const framed = channel.frameAt(line);
      this.#columns.add(framed);
      this.#frames += framed?.kind === 'frame' ? 1 : 0;
      if (++looked % SLICE_LINES === 0) {
        yield new Uint8Array();
      }
    }
  }

  /** Exports lines, the first ones with the row of names before them. */
  export(lines: Iterable<LinePosition>): Generator<Uint8Array<ArrayBuffer>, void> {
    const options = this.#options;
    const fields = this.#columns.isEmpty ? null : this.#columns;
    const names = ['time', 'epoch_ms', 'port', 'direction', options.content ?? 'text', ...(fields?.head ?? [])];
    const head = this.#hasHead ? '' : csvRecord(names);
    this.#hasHead = true;
    return formatLines(lines, options, head, ({ at, isDated, port, kind, content }, position) => {
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
