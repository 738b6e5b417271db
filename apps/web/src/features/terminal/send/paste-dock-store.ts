/**
 * Pasted lines that wait for a decision, or are being sent. One paste at a time. The dock itself is in
 * `paste-dock.tsx`; the send bar shows it, and so can other views that take text for a port.
 */
import { type PortNumber, promptIn } from '@wirebench/serial';
import { pageStore } from '../../../shared/page-store.ts';
import { getBench } from '../../../workbench/bench.ts';
import { converse, pasteOnBench } from '../../../workbench/bench-waits.ts';
import { runPort } from '../panels/run/runs.ts';
import { portName, terminalSettingsNow } from '../settings/settings-store.ts';
import {
  joinedLines,
  type PasteEnd,
  type PasteWay,
  pastedLines,
  pasteEndText,
  pasteOf,
  sendLines,
} from './paste-lines.ts';
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
  /** True: the lines go by Python's paste mode. */
  readonly isCode: boolean;
  readonly stop: () => void;
}

interface Ended {
  readonly kind: 'ended';
  readonly port: PortNumber;
  readonly text: string;
  readonly offered: OfferedPaste;
  /** Lines that were not sent, of `total`. */
  readonly rest: readonly string[];
  readonly total: number;
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

/** Returns true while lines are being sent to `port`. */
export function isPasting(port: PortNumber): boolean {
  const { paste } = pasteDock.getState();
  return paste?.kind === 'sending' && paste.port === port;
}

/** Sends the lines of the dock to `port`. */
export async function sendPaste(port: PortNumber, way: PasteWay): Promise<void> {
  const { paste } = pasteDock.getState();
  if (paste?.kind !== 'asking') {
    return;
  }
  const { lines, offered } = paste;
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  const sending = { kind: 'sending', port, lines, isCode: way === 'code', stop } as const;
  const onSent = (sent: number) => pasteDock.setState({ paste: { ...sending, sent } });
  pasteDock.setState({ paste: { ...sending, sent: 0 }, said: '' });
  const end = await pasted({ port, lines, offered, way, signal: stopped.signal, onSent });
  const name = portName(terminalSettingsNow(), port);
  const text = pasteEndText(end, lines.length, name, way);
  if (end.kind === 'done') {
    pasteDock.setState({ paste: null, said: text });
    return;
  }
  // Code that did not run is offered as a whole.
  const rest = way === 'code' ? lines : lines.slice(end.sent);
  pasteDock.setState({ paste: { kind: 'ended', port, text, offered, rest, total: lines.length }, said: text });
  await getBench().call('notice', end.kind === 'cancelled' ? 'info' : 'warning', text, port);
}

interface PasteRun {
  readonly port: PortNumber;
  readonly lines: readonly string[];
  readonly offered: OfferedPaste;
  readonly way: PasteWay;
  readonly signal: AbortSignal;
  readonly onSent: (sent: number) => void;
}

/** Sends the lines. Never rejects. */
async function pasted({ port, lines, offered, way, signal, onSent }: PasteRun): Promise<PasteEnd> {
  const { how, hidden = false } = offered;
  if (typeof way === 'object' && 'prompt' in way) {
    const conversation = converse(port);
    const { prompt } = way;
    const end = await sendLines({ lines, how, prompt, port: runPort(conversation, hidden), signal, onSent });
    // The end is known; a bench that is lost has said so.
    void conversation.close().catch(() => undefined);
    return end;
  }
  let sent = 0;
  const count = (lines: number) => {
    sent = lines;
    onSent(lines);
  };
  try {
    return await pasteOnBench(port, pasteOf(lines, how, way === 'code' ? null : way.pause, hidden), signal, count);
  } catch (error) {
    return { kind: 'failed', sent, message: error instanceof Error ? error.message : String(error) };
  }
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
