import { checkFeedbackMessage, feedbackLimits, feedbackText, type NewFeedback } from '@wirebench/contract';
import { type FormEvent, type RefObject, useState } from 'react';
import type { UserInfo } from '../../shared/session/user-info.ts';
import { Field } from '../../shared/ui/field.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { TextArea } from '../../shared/ui/text-input.tsx';
import { counterText } from './counter-text.ts';
import styles from './feedback-form.module.css';
import { sendFailureText } from './use-send-feedback.ts';

export interface FeedbackFormProps {
  readonly id: string;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly user: UserInfo | null;
  /** What the last attempt threw; null before the first. */
  readonly failure: unknown;
  readonly onSubmit: (feedback: NewFeedback) => void;
}

export function FeedbackForm({ id, field, user, failure, onSubmit }: FeedbackFormProps) {
  const [message, setMessage] = useState('');
  const [checked, setChecked] = useState(false);
  const fault = checkFeedbackMessage(message);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (fault === null) {
      onSubmit({ message, email: user?.email ?? (user?.name || feedbackText.anonymousEmail) });
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
              setMessage(event.currentTarget.value);
              setChecked(false);
            }}
          />
        )}
      </Field>
      {failure === null ? null : <Notice level="error" title={sendFailureText(failure)} />}
    </form>
  );
}
