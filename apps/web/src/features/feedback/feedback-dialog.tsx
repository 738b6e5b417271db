import { type Clock, systemClock } from '@wirebench/clock';
import { useEffect, useId, useRef, useState } from 'react';
import { useSession } from '../../shared/session/use-session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { FeedbackForm } from './feedback-form.tsx';
import { sendFeedback, useSendFeedback } from './use-send-feedback.ts';

/** How long the thanks stay, in milliseconds (specification, section 4). */
const THANKS_DURATION = 2_000;

export interface FeedbackDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly clock?: Pick<Clock, 'schedule'>;
  readonly send?: typeof sendFeedback;
}

/** The modal that takes one message. Each time it opens it starts anew. */
export function FeedbackDialog({ open, onClose, clock = systemClock, send = sendFeedback }: FeedbackDialogProps) {
  // Counts the openings, so that form and attempt of the last one are not the next one's.
  const [opening, setOpening] = useState({ open, number: 0 });
  if (opening.open !== open) {
    setOpening({ open, number: opening.number + (open ? 1 : 0) });
  }
  return <FeedbackModal key={opening.number} open={open} onClose={onClose} clock={clock} send={send} />;
}

function FeedbackModal({ open, onClose, clock, send }: Required<FeedbackDialogProps>) {
  const { user } = useSession();
  const formId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const sending = useSendFeedback(send);
  const sent = sending.isSuccess;
  useEffect(() => (sent ? clock.schedule(THANKS_DURATION, onClose) : undefined), [sent, clock, onClose]);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Send feedback"
      size="sm"
      initialFocus={field}
      footer={
        <>
          <Button onClick={onClose}>{sent ? 'Close' : 'Cancel'}</Button>
          {sent ? null : (
            <Button type="submit" form={formId} variant="primary" busy={sending.isPending}>
              {sending.isPending ? 'Sending…' : 'Send'}
            </Button>
          )}
        </>
      }
    >
      {sent ? (
        <div role="status">
          <Notice level="success" title="Feedback sent.">
            Thank you for taking the time.
          </Notice>
        </div>
      ) : (
        <FeedbackForm
          id={formId}
          field={field}
          user={user}
          failure={sending.error}
          onSubmit={(feedback) => sending.mutate(feedback)}
        />
      )}
    </Dialog>
  );
}
