import { checkFeedbackMessage, feedbackLimits, feedbackText, type NewFeedback } from '@wirebench/contract';
import { type FormEvent, type RefObject, useState } from 'react';
import { SessionError } from '../../shared/session/session-errors.ts';
import type { UserInfo } from '../../shared/session/user-info.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { TextArea } from '../../shared/ui/text-input.tsx';
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
  /** The place for reports of faults; null if the operator named none. */
  readonly issuesUrl: string | null;
  readonly onChange: (message: string) => void;
  readonly onSubmit: (feedback: NewFeedback) => void;
  readonly onSignIn: () => void;
}

/** Text of the counter below the feedback field. */

/**
 * Returns the number of missing characters while there are too few, without white space at the ends. Afterwards the
 * number of remaining ones.
 */
export function counterText(message: string): string {
  const missing = feedbackLimits.minLength - message.trim().length;
  return missing > 0
    ? `${characters(missing)} still needed`
    : `${characters(Math.max(0, feedbackLimits.maxLength - message.length))} left`;
}

function characters(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`;
}

export function FeedbackForm(props: FeedbackFormProps) {
  const { id, field, user, message, failure, issuesUrl, onChange, onSubmit, onSignIn } = props;
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
      {issuesUrl === null ? null : (
        <p className={styles['more']}>
          A fault needs more room?{' '}
          <a
            className="link"
            href={issuesUrl}
            {...(issuesUrl.startsWith('mailto:') ? {} : { target: '_blank', rel: 'noreferrer' })}
          >
            {placeText(issuesUrl)}
          </a>
        </p>
      )}
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

function placeText(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return protocol === 'mailto:' ? `Write to ${pathname}` : `Report it at ${host}`;
}
