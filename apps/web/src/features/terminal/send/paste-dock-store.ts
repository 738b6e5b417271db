/**
 * Pasted lines that wait for a decision, or are being sent. One paste at a time. The dock itself is in
 * `paste-dock.tsx` and sends them; it is loaded with the first pasted lines.
 */
import type { PortNumber } from '@wirebench/serial';
import { pageStore } from '../../../shared/page-store.ts';
import { joinedLines, pastedLines } from './pasted-lines.ts';
import type { TypedAs } from './send-message.ts';

export interface OfferedPaste {
  readonly text: string;
  readonly how: TypedAs;
  /** True: the lines are shown nowhere. Undefined: only answers to prompts for a password are hidden. */
  readonly hidden?: boolean | undefined;
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

export const pasteDock = pageStore<PasteDock>({ paste: null, said: '' });

export const usePasteDock = pasteDock.use;

/** Id of the button that sends the lines. Enter in the send field moves the focus there. */
export const sendLinesId = 'send-pasted-lines';

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
