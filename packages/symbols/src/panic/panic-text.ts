/** Crashes and restarts in the text of a file: the log of another program, or a copy of one. */
import { logLines } from '../log-text/log-lines.ts';
import type { PanicMark } from './panic-mark.ts';
import { PanicRecogniser } from './panic-recogniser.ts';

export interface MarkedText {
  /** Number of the line in the text, from 1. */
  readonly number: number;
  /** As the board printed it. */
  readonly text: string;
  readonly mark: PanicMark;
  /** As the ROM named it when it started last; null while it is not known. */
  readonly chip: string | null;
}

/** Returns the lines of a log that say something of a crash or a restart, those of each port by themselves. */
export function panicsOfText(text: string): readonly (readonly MarkedText[])[] {
  const ports = logLines(text, []).map((lines) => {
    const recogniser = new PanicRecogniser();
    return lines.flatMap(({ number, text: line }) => {
      const mark = recogniser.line(line);
      return mark === undefined ? [] : [{ number, text: line, mark, chip: recogniser.chip ?? null }];
    });
  });
  return ports.filter((marked) => marked.length > 0);
}
