/**
 * The messages that pass: one at a time. A newer message takes the place of an older one, but an error stays until it is
 * closed, and what comes meanwhile waits behind it. Knows no screen: `toaster.tsx` shows what stands here.
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
}

export interface ToastMessage {
  /** Never used twice. */
  readonly id: number;
  readonly text: string;
  readonly level: MessageLevel;
  readonly action: ToastAction | null;
}

interface ToastState {
  readonly current: ToastMessage | null;
  readonly waiting: readonly ToastMessage[];
}

export const toastStore = createStore<ToastState>(() => ({ current: null, waiting: [] }));

let nextId = 1;

/** Shows `text`, in the words of the act that led to it. */
export function toast(text: string, { level = 'success', action }: ToastOptions = {}): void {
  const message: ToastMessage = { id: nextId++, text, level, action: action ?? null };
  toastStore.setState(({ current, waiting }) => {
    if (current?.level !== 'error') {
      return { current: message };
    }
    const known = current.text === text || waiting.some((other) => other.text === text);
    return known ? {} : { waiting: [...waiting, message] };
  });
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
