/** Finds crashes and restarts in the text of a file: the log of another program, or a copy of one. */
import { type LogLine, logLines } from '../log-text/log-lines.ts';
import type { PanicMark } from './panic-mark.ts';
import { PanicRecogniser } from './panic-recogniser.ts';

export interface MarkedText {
  /** Number of the line in the text, counted from 1. */
  readonly number: number;
  /** The line as printed by the board. */
  readonly text: string;
  readonly mark: PanicMark;
  /** Chip name that the ROM printed at the last start; null if unknown. */
  readonly chip: string | null;
}

/** Returns those lines of a port that belong to a crash or a restart. */
export function markedLines(lines: readonly LogLine[]): readonly MarkedText[] {
  const recogniser = new PanicRecogniser();
  return lines.flatMap(({ number, text: line }) => {
    const mark = recogniser.line(line);
    return mark === undefined ? [] : [{ number, text: line, mark, chip: recogniser.chip ?? null }];
  });
}

/**
 * Returns the lines of a log that belong to a crash or a restart, grouped by port. Ports without such lines are left
 * out.
 */
export function panicsOfText(text: string): readonly (readonly MarkedText[])[] {
  return logLines(text, [])
    .map(markedLines)
    .filter((marked) => marked.length > 0);
}
