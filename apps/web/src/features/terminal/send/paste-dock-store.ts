/**
 * Pasted lines that wait for a decision, or are being sent. One paste at a time. The dock itself is in
 * `paste-dock.tsx`; the send bar shows it, and so can other views that take text for a port.
 */
import { type PortNumber, promptIn } from '@wirebench/serial';
import { pageStore } from '../../../shared/page-store.ts';
import { getBench } from '../../../workbench/bench.ts';
import { converse } from '../../../workbench/bench-waits.ts';
import { runPort } from '../panels/run/runs.ts';
import { portName, terminalSettingsNow } from '../settings/settings-store.ts';
import { type AfterLine, joinedLines, pastedLines, pasteEndText, sendLines } from './paste-lines.ts';
import type { TypedAs } from './send-message.ts';

export interface OfferedPaste {
  readonly text: string;
  readonly how: TypedAs;
  /** True: the lines are shown nowhere. */
  readonly hidden?: boolean;
  /** Takes the lines, joined by spaces, to be edited. Omitted: the view has no field. */
  readonly intoField?: (text: string) => void;
  /** Sends the text as one message. Omitted: the lines are joined by spaces and sent with the ending. */
  readonly asOne?: (text: string) => void;
}

interface Asking {
  readonly kind: 'asking';
  readonly offered: OfferedPaste;
  readonly lines: readonly string[];
}

interface Sending {
  readonly kind: 'sending';
  readonly port: PortNumber;
  readonly lines: readonly string[];
  readonly sent: number;
  readonly stop: () => void;
}

interface Ended {
  readonly kind: 'ended';
  readonly port: PortNumber;
  readonly text: string;
  readonly offered: OfferedPaste;
  /** Lines that were not sent. */
  readonly rest: readonly string[];
}

export type PasteState = Asking | Sending | Ended;

interface PasteDock {
  readonly paste: PasteState | null;
  /** Announcement for screen readers about the last paste. */
  readonly said: string;
}

const pasteDock = pageStore<PasteDock>({ paste: null, said: '' });

export const usePasteDock = pasteDock.use;

/** Returns true while the dock asks whether to send pasted lines. */
export function isPasteOffered(): boolean {
  return pasteDock.getState().paste?.kind === 'asking';
}

/**
 * Opens the dock if the text has several lines. Nothing is sent.
 *
 * @returns False if the text has one line or none, so that the caller takes it as typed. True also while other lines
 *   are being sent: the text is then dropped, and the dock says so.
 */
export function offerPaste(offered: OfferedPaste): boolean {
  const lines = pastedLines(offered.text, offered.how);
  if (lines.length < 2) {
    return false;
  }
  if (pasteDock.getState().paste?.kind === 'sending') {
    pasteDock.setState({ said: 'Lines are still being sent. Stop them before you paste more.' });
    return true;
  }
  pasteDock.setState({ paste: { kind: 'asking', offered, lines }, said: `${lines.length} lines pasted` });
  return true;
}

/** Discards the lines, or stops sending them. */
export function cancelPaste(): void {
  const { paste } = pasteDock.getState();
  if (paste?.kind === 'sending') {
    paste.stop();
  } else {
    pasteDock.setState({ paste: null, said: '' });
  }
}

/** Puts the lines into the view's field. */
export function takePaste(): void {
  const { paste } = pasteDock.getState();
  if (paste?.kind === 'asking') {
    pasteDock.setState({ paste: null, said: '' });
    paste.offered.intoField?.(joinedLines(paste.lines));
  }
}

/** Asks again about the lines that were not sent. */
export function offerRest(): void {
  const { paste } = pasteDock.getState();
  if (paste?.kind === 'ended') {
    pasteDock.setState({ paste: { kind: 'asking', offered: paste.offered, lines: paste.rest }, said: '' });
  }
}

/** Sends the lines of the dock to `port`. */
export async function sendPaste(port: PortNumber, after: AfterLine): Promise<void> {
  const { paste } = pasteDock.getState();
  if (paste?.kind !== 'asking') {
    return;
  }
  const { lines, offered } = paste;
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  pasteDock.setState({ paste: { kind: 'sending', port, lines, sent: 0, stop }, said: '' });
  const conversation = converse(port);
  const end = await sendLines({
    lines,
    how: offered.how,
    after,
    port: runPort(conversation, offered.hidden),
    signal: stopped.signal,
    onSent: (sent) => pasteDock.setState({ paste: { kind: 'sending', port, lines, sent, stop } }),
  });
  // The end is known; a bench that is lost has said so.
  void conversation.close().catch(() => undefined);
  const name = portName(terminalSettingsNow(), port);
  const text = pasteEndText(end, lines.length, name, 'prompt' in after ? after.prompt : null);
  if (end.kind === 'done') {
    pasteDock.setState({ paste: null, said: text });
    return;
  }
  pasteDock.setState({ paste: { kind: 'ended', port, text, offered, rest: lines.slice(end.sent) }, said: text });
  await getBench().call('notice', end.kind === 'cancelled' ? 'info' : 'warning', text, port);
}

/** Number of received lines that are searched for a prompt. */
const searchedLines = 100;

/** Returns the prompt that the board on `port` shows, or null. */
export async function promptOf(port: PortNumber): Promise<string | null> {
  const query = { layout: 'text', anchor: 'tail', count: searchedLines, channels: [`received-${port}`] } as const;
  const { rows } = await getBench().call('rows', query);
  return promptIn(
    rows.map(({ text }) => text),
    rows.at(-1)?.open ?? false,
  );
}
