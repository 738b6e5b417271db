/** Whether the feedback modal is open: several places of a page can open it. */
import { createStore } from 'zustand/vanilla';

export const feedbackState = createStore<{ readonly open: boolean }>(() => ({ open: false }));

export function openFeedback(): void {
  feedbackState.setState({ open: true });
}

export function closeFeedback(): void {
  feedbackState.setState({ open: false });
}
