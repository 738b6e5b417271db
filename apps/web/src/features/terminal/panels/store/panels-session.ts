/** What is shown about the panels and not remembered: the marked row, what is being edited, what was refused and said. */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { MessagePlace } from '../model/panels.ts';
import type { MessageText } from '../model/pinned-message.ts';

/** What is typed in the form of a message. */
export interface MessageDraft {
  readonly text: MessageText;
  readonly expect: MessageText;
  readonly typed: Readonly<Record<'timeoutMs' | 'delayMs' | 'repeat', string>>;
}

export interface PanelsSession {
  /** The row that stands out for a moment, because it is there already. The number is new each time. */
  readonly marked: { readonly messageId: string; readonly time: number } | null;
  /** The message whose form is open, and which one. */
  readonly form: {
    readonly messageId: string;
    readonly kind: 'edit' | 'repeat';
    /** What was in it before it was closed without saving. */
    readonly draft?: MessageDraft;
  } | null;
  /** What is typed in the field that adds a message, by the panel's id. */
  readonly additions: Readonly<Record<string, MessageText>>;
  /** Why the last thing done in a panel was refused, by the panel's id. */
  readonly refusals: Readonly<Record<string, string>>;
  /** The panels lie over the console where there is no room beside it. */
  readonly drawerOpen: boolean;
  /** For a screen reader; the number is new each time, so that the same words are read out again. */
  readonly said: { readonly text: string; readonly time: number };
}

export const panelsSession = createStore<PanelsSession>(() => ({
  marked: null,
  form: null,
  additions: {},
  refusals: {},
  drawerOpen: false,
  said: { text: '', time: 0 },
}));

export function usePanelsSession<Part>(select: (session: PanelsSession) => Part): Part {
  return useStore(panelsSession, select);
}

export function say(text: string): void {
  panelsSession.setState(({ said }) => ({ said: { text, time: said.time + 1 } }));
}

export function mark({ messageId }: MessagePlace): void {
  panelsSession.setState(({ marked }) => ({ marked: { messageId, time: (marked?.time ?? 0) + 1 } }));
}

/** The mark has been seen; a newer one stays. */
export function unmark(time: number): void {
  panelsSession.setState(({ marked }) => (marked?.time === time ? { marked: null } : {}));
}

/** @param text null when there is nothing to complain about any more. */
export function setRefusal(panelId: string, text: string | null): void {
  panelsSession.setState(({ refusals }) => {
    const { [panelId]: _before, ...others } = refusals;
    return { refusals: text === null ? others : { ...others, [panelId]: text } };
  });
}

export function setPanelsDrawer(drawerOpen: boolean): void {
  panelsSession.setState({ drawerOpen });
}

export function setAddition(panelId: string, text: MessageText): void {
  panelsSession.setState(({ additions }) => ({ additions: { ...additions, [panelId]: text } }));
}

export function openForm(form: PanelsSession['form']): void {
  panelsSession.setState({ form });
}
