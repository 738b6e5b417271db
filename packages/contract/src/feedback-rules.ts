/** Rules of a feedback message (docs/behaviour.md, "Feedback"); the form and the server check with the same function. */

/** Lengths in UTF-16 code units, as a textarea's `maxlength` counts them. `pageSize` is the dashboard's. */
export const feedbackLimits = { minLength: 20, maxLength: 140, emailMaxLength: 254, pageSize: 10 } as const;

export type FeedbackMessageFault = 'empty' | 'tooShort' | 'tooLong';

export const feedbackText = {
  empty: 'Please enter your feedback',
  tooShort: 'Please enter at least 20 characters',
  tooLong: 'Message cannot exceed 140 characters',
  failed: 'Failed to submit feedback. Please try again.',
  /** Replaces the sender's address if neither the token nor the form has one. */
  anonymousEmail: 'anonymous@wirebench.invalid',
} as const satisfies Record<FeedbackMessageFault, string> & Record<string, string>;

/** Returns the fault of `message` without surrounding white space; null for a valid message. */
export function checkFeedbackMessage(message: string): FeedbackMessageFault | null {
  const { length } = message.trim();
  if (length === 0) {
    return 'empty';
  }
  if (length < feedbackLimits.minLength) {
    return 'tooShort';
  }
  return length > feedbackLimits.maxLength ? 'tooLong' : null;
}
