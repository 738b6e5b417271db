import { useLoaded } from '../../shared/ui/use-loaded.ts';
import { closeFeedback, reopenFeedback, useFeedback } from './feedback-state.ts';

const loadDialog = () => import('./feedback-dialog.tsx');

/** Renders the modal after it was first opened. */
export function FeedbackSlot() {
  const { open, text } = useFeedback();
  const loaded = useLoaded(open, loadDialog, closeFeedback);
  return loaded === null ? null : (
    <loaded.FeedbackDialog open={open} text={text} onClose={closeFeedback} onReopen={reopenFeedback} />
  );
}
