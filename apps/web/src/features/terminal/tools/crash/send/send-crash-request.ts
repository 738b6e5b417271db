/** The crash to be sent to a publisher. Kept outside the panel, because turning a phone remounts it. */
import { pageStore } from '../../../../../shared/page-store.ts';
import type { SendCrashProps } from './send-crash-dialog.tsx';

interface SendCrashRequest {
  /** The crash to be sent, or null before the first request. */
  readonly crash: SendCrashProps | null;
  /** True: the dialog is open. */
  readonly open: boolean;
}

const request = pageStore<SendCrashRequest>({ crash: null, open: false });

export const useSendCrashRequest = request.use;

export function askToSendCrash(crash: SendCrashProps): void {
  request.setState({ crash, open: true });
}

/** Closes the dialog. Its crash is kept, so that it stays visible while the dialog fades out. */
export function closeSendCrash(): void {
  request.setState({ open: false });
}
