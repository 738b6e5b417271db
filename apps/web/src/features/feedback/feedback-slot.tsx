import { useStore } from 'zustand';
import { useLoaded } from '../../shared/ui/use-loaded.ts';
import { closeFeedback, feedbackState, reopenFeedback } from './feedback-state.ts';

const loadDialog = () => import('./feedback-dialog.tsx');

/** Renders the modal after it was first opened. */
export function FeedbackSlot() {
  const { open, text } = useStore(feedbackState);
  const loaded = useLoaded(open, loadDialog, closeFeedback);
  return loaded === null ? null : (
    <loaded.FeedbackDialog open={open} text={text} onClose={closeFeedback} onReopen={reopenFeedback} />
  );
}
