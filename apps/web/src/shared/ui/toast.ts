/**
 * Toasts: one at a time, the newest, because it answers the user's last action. Errors and some others stay until closed.
 * Later messages are shown before it, and it returns afterwards. `toaster.tsx` renders them.
 */
import { pageStore } from '../page-store.ts';
import type { MessageLevel } from './level-icon.tsx';

interface ToastAction {
  readonly label: string;
  readonly onAction: () => void;
}

export interface ToastOptions {
  /** Default: success. */
  readonly level?: MessageLevel | undefined;
  readonly action?: ToastAction | undefined;
  /** Second line: the exact subject, or the reason of a failure. */
  readonly detail?: string | undefined;
  /** True: it stays until it is closed, as an error does. */
  readonly stays?: boolean;
}

export interface ToastMessage {
  /** Never reused. */
  readonly id: number;
  readonly text: string;
  readonly level: MessageLevel;
  readonly action: ToastAction | null;
  readonly detail: string | null;
  readonly stays: boolean;
}

interface ToastState {
  readonly current: ToastMessage | null;
  /** Messages that stay and are not closed yet, newest first. */
  readonly waiting: readonly ToastMessage[];
}

const toastStore = pageStore<ToastState>({ current: null, waiting: [] });

export const useToasts = toastStore.use;

let nextId = 1;

/**
 * Shows `text`, which uses the words of the user's action.
 * @returns The message's id, for `dismissToast`.
 */
export function toast(
  text: string,
  { level = 'success', action, detail, stays = level === 'error' }: ToastOptions = {},
): number {
  const message: ToastMessage = { id: nextId++, text, level, action: action ?? null, detail: detail ?? null, stays };
  toastStore.setState(({ current, waiting }) => ({
    current: message,
    // A repeated error replaces its earlier message, including the detail.
    waiting: (current?.stays === true ? [current, ...waiting] : waiting).filter((other) => other.text !== text),
  }));
  return message.id;
}

/** Removes a message that no longer applies, whether shown or waiting. */
export function dismissToast(id: number): void {
  closeToast(id);
  toastStore.setState(({ waiting }) => ({ waiting: waiting.filter((message) => message.id !== id) }));
}

/** Removes the message if it is still shown. */
export function closeToast(id: number): void {
  toastStore.setState(({ current, waiting }) => {
    if (current?.id !== id) {
      return {};
    }
    const [next = null, ...rest] = waiting;
    return { current: next, waiting: rest };
  });
}
