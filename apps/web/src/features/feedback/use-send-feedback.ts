import { useMutation } from '@tanstack/react-query';
import { apiPaths, FeedbackAnswer, feedbackText, type NewFeedback } from '@wirebench/contract';
import { api } from '../../shared/api/api.ts';
import { serverError } from '../../shared/api/api-error.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { SessionError } from '../../shared/session/session-errors.ts';

/** Stores one message. Throws what the API client throws. */
export async function sendFeedback(feedback: NewFeedback): Promise<FeedbackAnswer> {
  return (await api()).request(apiPaths.feedback, FeedbackAnswer, { method: 'POST', body: feedback });
}

/**
 * @param send how a message gets to the server; tests hand in their own.
 * @param onEnd told how an attempt ended, also when the modal is gone by then: null when it was sent.
 */
export function useSendFeedback(
  send: typeof sendFeedback,
  onEnd: (error: Error | null, feedback: NewFeedback) => void,
) {
  return useMutation(
    { mutationFn: send, onSuccess: (_, feedback) => onEnd(null, feedback), onError: onEnd },
    queryClient,
  );
}

/** What to tell of a failed attempt: the server's own words, those of the session, or the specification's. */
export function sendFailureText(error: unknown): string {
  return serverError(error) ?? (error instanceof SessionError ? error.message : feedbackText.failed);
}
