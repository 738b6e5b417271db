import { checkFeedbackMessage, feedbackLimits, feedbackText, type NewFeedback } from '@wirebench/contract';
import { type FormEvent, type RefObject, useState } from 'react';
import { SessionError } from '../../shared/session/session-errors.ts';
import type { UserInfo } from '../../shared/session/user-info.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { TextArea } from '../../shared/ui/text-input.tsx';
import { counterText } from './counter-text.ts';
import styles from './feedback-form.module.css';
import { sendFailureText } from './use-send-feedback.ts';

export interface FeedbackFormProps {
  readonly id: string;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  /** Null if the session has ended since the modal opened. */
  readonly user: UserInfo | null;
  readonly message: string;
  /** Error of the last attempt; null before the first. */
  readonly failure: unknown;
  readonly onChange: (message: string) => void;
  readonly onSubmit: (feedback: NewFeedback) => void;
  readonly onSignIn: () => void;
}

export function FeedbackForm(props: FeedbackFormProps) {
  const { id, field, user, message, failure, onChange, onSubmit, onSignIn } = props;
  const [checked, setChecked] = useState(false);
  const fault = checkFeedbackMessage(message);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (user === null) {
      return;
    }
    if (fault === null) {
      onSubmit({ message, email: user.email ?? (user.name || feedbackText.anonymousEmail) });
    } else {
      field.current?.focus();
    }
  };

  return (
    <form id={id} onSubmit={submit} noValidate className={styles['form']}>
      <Field
        label="Your feedback"
        error={checked && fault !== null ? feedbackText[fault] : null}
        hint={
          <span className={styles['counter']}>
            <span>{counterText(message)}</span>
            <span>
              {message.length} / {feedbackLimits.maxLength}
            </span>
          </span>
        }
      >
        {(ids) => (
          <TextArea
            {...ids}
            ref={field}
            rows={4}
            maxLength={feedbackLimits.maxLength}
            value={message}
            onChange={(event) => {
              onChange(event.currentTarget.value);
              setChecked(false);
            }}
          />
        )}
      </Field>
      {user === null ? (
        <Notice
          level="error"
          title={failure instanceof SessionError ? failure.message : 'You are signed out.'}
          action={
            <Button size="sm" onClick={onSignIn}>
              Sign in
            </Button>
          }
        >
          Your text stays here. Sign in again, then send it.
        </Notice>
      ) : failure === null ? null : (
        <Notice level="error" title={sendFailureText(failure)} />
      )}
    </form>
  );
}
