/** Transcript of a run as text: all that was sent and received, with times, answers and captured text. */

import { stopwatchText } from '@wirebench/port/numbers';
import type { ConversationLog, LogEntry, PortNumber } from '@wirebench/serial';
import { visibleText } from './visible-text.ts';

export interface Transcript {
  readonly panelName: string;
  readonly port: PortNumber;
  readonly log: ConversationLog;
  /** A sentence about each exchange, in order. */
  readonly notes: readonly string[];
  /** Sentence about the end of the run. */
  readonly result: string;
}

const NEWLINE = 0x0a;

/** Writes one line for each line that was sent or received, and for each exchange. Times count from the beginning. */
export function transcriptText({ panelName, port, log, notes, result }: Transcript): string {
  const { startedAt, entries, leftOut } = log;
  const lines = [`Run of ${panelName} on Port ${port}, ${new Date(startedAt).toISOString()}`, ''];
  if (leftOut > 0) {
    lines.push(`The first ${leftOut} received bytes are left out.`, '');
  }
  const time = (at: number) => stopwatchText(at - startedAt).padStart(9);
  let exchange = 0;
  for (const { kind, at, bytes, length, name } of wholeLines(entries)) {
    switch (kind) {
      case 'sent':
        lines.push(`${time(at)} > ${bytes === null ? hiddenText(length, name) : visibleText(bytes)}`);
        break;
      case 'received':
        lines.push(`${time(at)} < ${visibleText(bytes ?? new Uint8Array())}`);
        break;
      case 'ended': {
        const note = notes[exchange++];
        if (note !== undefined) {
          lines.push(`${time(at)} = ${note}`);
        }
      }
    }
  }
  return `${[...lines, '', result].join('\n')}\n`;
}

interface Piece {
  readonly kind: LogEntry['kind'];
  readonly at: number;
  readonly bytes: Uint8Array | null;
  readonly length: number;
  readonly name?: string | undefined;
}

const hiddenText = (length: number, name: string | undefined) =>
  name === undefined ? `(hidden, ${length} bytes)` : `[${name}, hidden]`;

/** Joins received pieces that follow each other, and divides them at line ends. A line has the time of its first byte. */
function wholeLines(entries: readonly LogEntry[]): Piece[] {
  const pieces: Piece[] = [];
  let open: number[] = [];
  let openAt = 0;
  const close = () => {
    if (open.length > 0) {
      pieces.push({ kind: 'received', at: openAt, bytes: Uint8Array.from(open), length: open.length });
      open = [];
    }
  };
  for (const entry of entries) {
    if (entry.kind !== 'received') {
      close();
      const isSent = entry.kind === 'sent';
      pieces.push({
        kind: entry.kind,
        at: entry.at,
        bytes: isSent ? entry.bytes : null,
        length: isSent ? entry.length : 0,
        name: isSent ? entry.name : undefined,
      });
      continue;
    }
    for (const byte of entry.bytes) {
      openAt = open.length === 0 ? entry.at : openAt;
      open.push(byte);
      if (byte === NEWLINE) {
        close();
      }
    }
  }
  close();
  return pieces;
}
