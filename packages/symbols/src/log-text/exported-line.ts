/**
 * Parses lines of a log that Wirebench exported or copied with its stamps (`packages/serial/src/export-text.ts`,
 * `export-csv.ts`). The port in them separates the lines of several ports; the direction separates sent text from
 * output of the board.
 */

export interface ExportedLine {
  /** Name of the port chosen by the user, such as `Port 1`. */
  readonly port: string;
  readonly isReceived: boolean;
  readonly text: string;
}

const STAMP = '\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}\\.\\d{3}';
/** Matches `2026-11-20 14:03:05.123  Port 1  RX  `, optionally with the mark of a damaged frame. */
const TEXT = new RegExp(
  `^(${STAMP})  (?:(\\S.{0,79}?)  )?(RX|TX|INFO|WARNING|ERROR|SUCCESS)  (?:(?:Incomplete frame|Invalid frame|Frame too long): )?(.*)$`,
);
/** Matches `2026-11-20 14:03:05.123,1763643785123.000,Port 1,RX,`. */
const CSV = new RegExp(`^${STAMP},\\d+(?:\\.\\d+)?,("(?:[^"]|"")*"|[^",]*),(RX|TX|[A-Za-z]+),(.*)$`);
/** Apostrophe that prevents a spreadsheet from treating the field as a formula. */
const GUARD = /^'(?=[=+\-@])/;

/** Parses a line with Wirebench's own stamp; returns undefined for any other line. */
export function exportedLine(line: string): ExportedLine | undefined {
  const stamped = TEXT.exec(line);
  if (stamped !== null) {
    const [, , port = '', kind, text = ''] = stamped;
    return { port, isReceived: kind === 'RX', text };
  }
  const record = CSV.exec(line);
  if (record !== null) {
    const [, port = '', kind, field = ''] = record;
    return { port: unquoted(port), isReceived: kind === 'RX', text: unquoted(field).replace(GUARD, '') };
  }
  return undefined;
}

function unquoted(field: string): string {
  return /^".*"$/.test(field) ? field.slice(1, -1).replaceAll('""', '"') : field;
}
