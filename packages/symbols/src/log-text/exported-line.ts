/**
 * Lines of a log that Wirebench exported or copied with its stamps (`packages/serial/src/export-text.ts`, `export-csv.ts`). They name the port, so that the lines
 * of several ports can be told apart, and the direction, so that what was sent is not taken for what the board said.
 */

export interface ExportedLine {
  /** Name of the port as a person chose it, such as `Port 1`. */
  readonly port: string;
  readonly isReceived: boolean;
  /** Content of the line. */
  readonly text: string;
}

const STAMP = '\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}\\.\\d{3}';
/** `2026-11-20 14:03:05.123  Port 1  RX  `, and the mark of a frame that is not intact. */
const TEXT = new RegExp(
  `^(${STAMP})  (?:(\\S.{0,79}?)  )?(RX|TX|INFO|WARNING|ERROR|SUCCESS)  (?:(?:Incomplete frame|Invalid frame|Frame too long): )?(.*)$`,
);
/** `2026-11-20 14:03:05.123,1763643785123.000,Port 1,RX,`. */
const CSV = new RegExp(`^${STAMP},\\d+(?:\\.\\d+)?,("(?:[^"]|"")*"|[^",]*),(RX|TX|[A-Za-z]+),(.*)$`);
/** The apostrophe that keeps a spreadsheet from calculating a field. */
const GUARD = /^'(?=[=+\-@])/;

/** Reads a line with Wirebench's own stamp; undefined for any other line. */
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
