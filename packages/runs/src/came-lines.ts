/** Lines that a board sent while an exchange waited, read from the log of its conversation. */
import { type ConversationLog, type LogEntry, promptIn } from '@wirebench/serial';
import { visibleText } from './visible-text.ts';

/** A line that a board sent while a run waited. */
export interface CameLine {
  /** Milliseconds since the wait began. */
  readonly at: number;
  readonly text: string;
}

const NEWLINE = 0x0a;

/** Returns a line without its end, with controls as escapes. */
export const lineText = (bytes: Uint8Array): string => visibleText(bytes).replace(/(?:\\r)?\\n$/, '');

/** Lines that came while an exchange waited. */
export interface CameLines {
  readonly lines: readonly CameLine[];
  /** Beginning of the wait, in milliseconds since the Unix epoch. */
  readonly since: number;
  /**
   * The last line that says something; null without one. A prompt without an end of line, behind other lines, is left
   * out: it says only that the board is ready again.
   */
  readonly last: CameLine | null;
}

/**
 * Reads from the beginning of an exchange to its end: behind its command, or behind the exchange before if it sends
 * nothing.
 *
 * @param exchange Index of the exchange in the conversation.
 */
export function cameLines({ entries, startedAt }: ConversationLog, exchange: number): CameLines {
  const ends = entries.flatMap(({ kind }, index) => (kind === 'ended' ? [index] : []));
  const before = exchange === 0 ? -1 : (ends[exchange - 1] ?? entries.length);
  const own = entries.slice(before + 1, ends[exchange] ?? entries.length);
  const sent = own.findLastIndex(({ kind }) => kind === 'sent');
  const since = own[sent]?.at ?? entries[before]?.at ?? startedAt;
  const { lines, isOpen } = linesOf(own.slice(sent + 1), since);
  const said = lines.filter(({ text }) => text.trim() !== '');
  const last = said.at(-1);
  const isPrompt = isOpen && last === lines.at(-1) && promptIn([last?.text ?? ''], true) !== null;
  return { lines, since, last: (isPrompt ? said.at(-2) : undefined) ?? last ?? null };
}

function linesOf(
  entries: readonly LogEntry[],
  since: number,
): { readonly lines: readonly CameLine[]; readonly isOpen: boolean } {
  const lines: CameLine[] = [];
  let open: number[] = [];
  let at = 0;
  const close = () => {
    if (open.length > 0) {
      lines.push({ at, text: lineText(Uint8Array.from(open)) });
      open = [];
    }
  };
  for (const entry of entries) {
    for (const byte of entry.kind === 'received' ? entry.bytes : []) {
      at = open.length === 0 ? Math.max(0, entry.at - since) : at;
      open.push(byte);
      if (byte === NEWLINE) {
        close();
      }
    }
  }
  const isOpen = open.length > 0;
  close();
  return { lines, isOpen };
}
