/** Which crash is to be sent to a publisher. It outlives the panel: turning a phone makes that anew. */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { SendCrashProps } from './send-crash-dialog.tsx';

interface SendCrashRequest {
  /** Null before the first one. */
  readonly crash: SendCrashProps | null;
  /** The dialog is to be seen. */
  readonly open: boolean;
}

const request = createStore<SendCrashRequest>(() => ({ crash: null, open: false }));

export function useSendCrashRequest(): SendCrashRequest {
  return useStore(request);
}

export function askToSendCrash(crash: SendCrashProps): void {
  request.setState({ crash, open: true });
}

/** What it holds stays until the dialog has gone. */
export function closeSendCrash(): void {
  request.setState({ open: false });
}
