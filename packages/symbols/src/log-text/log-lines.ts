/** Splits the text of a log into the lines that boards printed, separately for each port. */
import { exportedLine } from './exported-line.ts';
import { LinePrefix } from './line-prefix.ts';
import { visibleText } from './visible-text.ts';

export interface LogLine {
  /** Line number in the log, counted from 1. */
  readonly number: number;
  /** The line as printed by the board, without the prefix of a tool. */
  readonly text: string;
}

const LINE_END = /\r\n|\n|\r/;
/** Escaped carriage return inside a line of an export. */
const WRITTEN_RETURN = '\\r';

/**
 * Returns the lines of a log, grouped by port; a log without port names counts as one port. Sent bytes and notices of
 * an export become empty lines.
 * @param openings see the constructor of `LinePrefix`
 */
export function logLines(text: string, openings: readonly RegExp[]): readonly (readonly LogLine[])[] {
  const ports = new Map<string, { readonly prefix: LinePrefix; readonly lines: LogLine[] }>();
  for (const [index, line] of text.split(LINE_END).entries()) {
    const exported = exportedLine(visibleText(line));
    const port = exported?.port ?? '';
    const known = ports.get(port) ?? { prefix: new LinePrefix(openings), lines: [] };
    ports.set(port, known);
    for (const piece of exported?.isReceived ? exported.text.split(WRITTEN_RETURN) : [line]) {
      known.lines.push({ number: index + 1, text: known.prefix.strip(piece) });
    }
  }
  return [...ports.values()].map(({ lines }) => lines);
}
