/** Temporary state of the panels that is not stored: highlighted row, open form, refusals and announcements. */

import type { FileWay, MessageFlow, MessageText } from '@wirebench/runs';
import { pageStore } from '../../../../shared/page-store.ts';
import type { MessagePlace } from '../model/panels.ts';

/** Content of the form of a message. */
export interface MessageDraft {
  readonly text: MessageText;
  readonly label: string;
  readonly hidden: boolean;
  readonly expect: MessageText;
  /** Way to send a file after the message; null for no file. */
  readonly fileBy: FileWay | null;
  readonly fileName: string;
  readonly flow: MessageFlow;
  /** True: `{value}` in the text stands for a number that is asked for. */
  readonly asks: boolean;
  readonly typed: Readonly<
    Record<'timeoutMs' | 'delayMs' | 'repeat' | 'tries' | 'from' | 'to' | 'step' | 'unit' | 'perSecond', string>
  >;
  readonly whileDragging: boolean;
}

export interface PanelsSession {
  /** Highlighted row: a message that already exists. `time` is a counter that tells consecutive highlights apart. */
  readonly marked: { readonly messageId: string; readonly time: number } | null;
  /** Message with an open form, and the kind of form. */
  readonly form: {
    readonly messageId: string;
    readonly kind: 'edit' | 'repeat' | 'value';
    /** Unsaved content, restored from a form that was closed without saving. */
    readonly draft?: MessageDraft;
  } | null;
  /** Content of the field that adds a message, by panel id. */
  readonly additions: Readonly<Record<string, MessageText>>;
  /** Reason for the last refusal in each panel, by panel id. */
  readonly refusals: Readonly<Record<string, string>>;
  /** Announcement for screen readers. `time` is a counter, so that identical texts are announced again. */
  readonly said: { readonly text: string; readonly time: number };
}

const panelsSession = pageStore<PanelsSession>({
  marked: null,
  form: null,
  additions: {},
  refusals: {},
  said: { text: '', time: 0 },
});

export const usePanelsSession = panelsSession.use;

export function say(text: string): void {
  panelsSession.setState(({ said }) => ({ said: { text, time: said.time + 1 } }));
}

export function mark({ messageId }: MessagePlace): void {
  panelsSession.setState(({ marked }) => ({ marked: { messageId, time: (marked?.time ?? 0) + 1 } }));
}

/** Ends the highlight with this number. A newer highlight stays. */
export function unmark(time: number): void {
  panelsSession.setState(({ marked }) => (marked?.time === time ? { marked: null } : {}));
}

/** @param text Reason for the refusal. Null clears it. */
export function setRefusal(panelId: string, text: string | null): void {
  panelsSession.setState(({ refusals }) => {
    const { [panelId]: _before, ...others } = refusals;
    return { refusals: text === null ? others : { ...others, [panelId]: text } };
  });
}

export function setAddition(panelId: string, text: MessageText): void {
  panelsSession.setState(({ additions }) => ({ additions: { ...additions, [panelId]: text } }));
}

export function openForm(form: PanelsSession['form']): void {
  panelsSession.setState({ form });
}

/** Returns the draft of the open form. Null: no form is open. */
export function openDraft(): MessageDraft | null {
  return panelsSession.getState().form?.draft ?? null;
}
