/**
 * Passing messages: one at a time, the newest, because it answers the person's last action. An error stays until it
 * is closed. Later messages are shown before it, and it returns afterwards. `toaster.tsx` renders them.
 */
import { createStore } from 'zustand/vanilla';
import type { MessageLevel } from './level-icon.tsx';

interface ToastAction {
  readonly label: string;
  readonly onAction: () => void;
}

export interface ToastOptions {
  /** Default: success. */
  readonly level?: MessageLevel | undefined;
  readonly action?: ToastAction | undefined;
  /** A second line: what exactly it is about, or why it failed. */
  readonly detail?: string | undefined;
}

export interface ToastMessage {
  /** Never used twice. */
  readonly id: number;
  readonly text: string;
  readonly level: MessageLevel;
  readonly action: ToastAction | null;
  readonly detail: string | null;
}

interface ToastState {
  readonly current: ToastMessage | null;
  /** Errors that are not closed yet, the newest first. */
  readonly waiting: readonly ToastMessage[];
}

export const toastStore = createStore<ToastState>(() => ({ current: null, waiting: [] }));

let nextId = 1;

/** Shows `text`, in the words of the action that led to it. Returns the message's id, for `dismissToast`. */
export function toast(text: string, { level = 'success', action, detail }: ToastOptions = {}): number {
  const message: ToastMessage = { id: nextId++, text, level, action: action ?? null, detail: detail ?? null };
  toastStore.setState(({ current, waiting }) => ({
    current: message,
    // The same error again is the same error, with what is new about it.
    waiting: (current?.level === 'error' ? [current, ...waiting] : waiting).filter((other) => other.text !== text),
  }));
  return message.id;
}

/** Takes a message away that is settled, whether it is shown or waits. */
export function dismissToast(id: number): void {
  closeToast(id);
  toastStore.setState(({ waiting }) => ({ waiting: waiting.filter((message) => message.id !== id) }));
}

/** Takes the message away, when it is still the one that is shown. */
export function closeToast(id: number): void {
  toastStore.setState(({ current, waiting }) => {
    if (current?.id !== id) {
      return {};
    }
    const [next = null, ...rest] = waiting;
    return { current: next, waiting: rest };
  });
}
