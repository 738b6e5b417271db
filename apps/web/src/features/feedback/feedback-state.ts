/** State of the feedback modal. Several places of a page can open it. */
import { pageStore } from '../../shared/page-store.ts';

interface FeedbackState {
  readonly open: boolean;
  /** Initial content of the field when the modal opens. */
  readonly text: string;
}

const feedbackState = pageStore<FeedbackState>({ open: false, text: '' });

export const useFeedback = feedbackState.use;

export function openFeedback(): void {
  feedbackState.setState({ open: true, text: '' });
}

/** Reopens the modal with the discarded text. */
export function reopenFeedback(text: string): void {
  feedbackState.setState({ open: true, text });
}

export function closeFeedback(): void {
  feedbackState.setState({ open: false });
}
