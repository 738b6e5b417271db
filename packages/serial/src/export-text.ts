/** Exports the log as text: one line of the file for each held line, with its time, port and direction. */
import { frameFaultText } from './framing/splitter.ts';
import { exportLines, type LogFacts, type LogLine, type TextExportOptions } from './log-lines.ts';
import { localStamp } from './time-stamp.ts';
import type { Timeline } from './timeline.ts';

/** Exports lines such as `2026-11-20 14:03:05.123  Port 1  RX  ready`, in local time and UTF-8. */
export function exportText(timeline: Timeline, options: TextExportOptions): Generator<Uint8Array<ArrayBuffer>, void> {
  return exportLines(timeline, options, '', textLine);
}

/** Formats one line of the file with its line break. Text recordings use the same format. */
export const textLine = (line: LogLine): string => `${stampOf(line)}${line.content}\n`;

/**
 * Formats the part before a line's content: `2026-11-20 14:03:05.123  Port 1  RX  `, and the fault of its frame. Unknown
 * parts are left out.
 */
export function stampOf({ at, isDated, port, kind, fault }: LogFacts): string {
  const mark = fault === null ? '' : `${frameFaultText[fault]}: `;
  const parts = [localStamp(at, isDated), port, kind].filter((part) => part !== '');
  return `${parts.join('  ')}  ${mark}`;
}
