/** Splits the text of a log into the lines that boards printed, each port's own. */
import { exportedLine } from './exported-line.ts';
import { LinePrefix } from './line-prefix.ts';
import { visibleText } from './visible-text.ts';

export interface LogLine {
  /** Counts from 1, as editors do. */
  readonly number: number;
  /** As the board printed it, without the prefix that a tool wrote. */
  readonly text: string;
}

const LINE_END = /\r\n|\n|\r/;
/** A carriage return inside a line, as an export writes it out. */
const WRITTEN_RETURN = '\\r';

/**
 * Reads the lines of a log, those of each port by themselves; a log without names of ports is one port's. Sent bytes and notices of an export are left out.
 * @param openings as `LinePrefix` takes them.
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
