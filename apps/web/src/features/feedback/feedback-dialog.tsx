import { type Clock, systemClock } from '@wirebench/clock';
import { useEffect, useId, useRef, useState } from 'react';
import { publicConfig } from '../../shared/config/public-config.ts';
import { signIn } from '../../shared/session/sign-in.ts';
import { useSession } from '../../shared/session/use-session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { offerUndo } from '../../shared/ui/offer-undo.ts';
import { toast } from '../../shared/ui/toast.ts';
import { useOpenings } from '../../shared/ui/use-openings.ts';
import { FeedbackForm } from './feedback-form.tsx';
import { sendFailureText, sendFeedback, useSendFeedback } from './use-send-feedback.ts';

/** Milliseconds for which the thanks are shown (docs/behaviour.md, "Feedback"). */
const THANKS_DURATION = 2_000;
const sentTitle = 'Feedback sent.';

export interface FeedbackDialogProps {
  readonly open: boolean;
  /** Initial content of the field when the modal opens. */
  readonly text: string;
  readonly onClose: () => void;
  /** Called when the user restores the text that closing the modal discarded. */
  readonly onReopen: (text: string) => void;
  readonly clock?: Pick<Clock, 'schedule'>;
  readonly send?: typeof sendFeedback;
  readonly config?: typeof publicConfig;
}

/** Modal for one message. Each opening starts fresh. */
export function FeedbackDialog({
  clock = systemClock,
  send = sendFeedback,
  config = publicConfig,
  ...props
}: FeedbackDialogProps) {
  return <FeedbackModal key={useOpenings(props.open)} {...props} clock={clock} send={send} config={config} />;
}

function FeedbackModal({ open, text, onClose, onReopen, clock, send, config }: Required<FeedbackDialogProps>) {
  const { user } = useSession();
  const [message, setMessage] = useState(text);
  const [issuesUrl, setIssuesUrl] = useState<string | null>(null);
  useEffect(() => {
    if (open) {
      config().then(
        (known) => setIssuesUrl(known.issuesUrl ?? null),
        (error: unknown) => console.warn('Where faults are reported is not known.', error),
      );
    }
  }, [open, config]);
  const formId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  // True: closed while the message is being sent. A toast then reports the result.
  const left = useRef(false);
  const sending = useSendFeedback(send, {
    onSuccess: () => {
      if (left.current) {
        toast(sentTitle);
      }
    },
    onError: (error, { message: unsent }) => {
      if (left.current) {
        const onAction = () => onReopen(unsent);
        toast(sendFailureText(error), { level: 'error', action: { label: 'Open again', onAction } });
      }
    },
  });
  const sent = sending.isSuccess;
  useEffect(() => (sent ? clock.schedule(THANKS_DURATION, onClose) : undefined), [sent, clock, onClose]);
  const close = () => {
    onClose();
    left.current = sending.isPending;
    if (!sent && !sending.isPending && message.trim() !== '') {
      offerUndo('Feedback discarded', () => onReopen(message));
    }
  };
  const signInAgain = async () => {
    await signIn();
    sending.reset();
    field.current?.focus();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Send feedback"
      size="sm"
      initialFocus={field}
      footer={
        <>
          <Button onClick={close}>{sent ? 'Close' : 'Cancel'}</Button>
          {sent ? null : (
            <Button
              type="submit"
              form={formId}
              variant="primary"
              busy={sending.isPending}
              aria-disabled={user === null || undefined}
            >
              {sending.isPending ? 'Sending…' : 'Send'}
            </Button>
          )}
        </>
      }
    >
      {sent ? (
        <div role="status">
          <Notice level="success" title={sentTitle}>
            Thank you for taking the time.
          </Notice>
        </div>
      ) : (
        <FeedbackForm
          id={formId}
          field={field}
          user={user}
          message={message}
          failure={sending.error}
          issuesUrl={issuesUrl}
          onChange={setMessage}
          onSubmit={(feedback) => sending.mutate(feedback)}
          onSignIn={() => void signInAgain()}
        />
      )}
    </Dialog>
  );
}
