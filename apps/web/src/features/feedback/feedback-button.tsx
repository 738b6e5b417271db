import { MessageSquareText } from 'lucide-react';
import { Button } from '../../shared/ui/button.tsx';
import styles from './feedback-button.module.css';
import { openFeedback } from './feedback-state.ts';

export function FeedbackButton() {
  return (
    <Button
      variant="quiet"
      icon={<MessageSquareText />}
      aria-haspopup="dialog"
      className={styles['button']}
      onClick={openFeedback}
    >
      <span className={styles['text']}>Feedback</span>
    </Button>
  );
}
