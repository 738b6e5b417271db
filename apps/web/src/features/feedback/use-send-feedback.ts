import { apiPaths, FeedbackAnswer, feedbackText, type NewFeedback } from '@wirebench/contract';
import { request } from '../../shared/api/api.ts';
import { serverError } from '../../shared/api/api-error.ts';
import { type CallEnds, useApiMutation } from '../../shared/api/use-api-mutation.ts';
import { SessionError } from '../../shared/session/session-errors.ts';

/** Stores one message. Throws what the API client throws. */
export async function sendFeedback(feedback: NewFeedback): Promise<FeedbackAnswer> {
  return request(apiPaths.feedback, FeedbackAnswer, { method: 'POST', body: feedback });
}

/** @param send how a message gets to the server; tests hand in their own */
export function useSendFeedback(send: typeof sendFeedback, ends: CallEnds<FeedbackAnswer, NewFeedback>) {
  return useApiMutation<FeedbackAnswer, NewFeedback>({ mutationFn: send, ...ends });
}

/** Returns the text of a failed attempt: the server's sentence, the session's, or the default one. */
export function sendFailureText(error: unknown): string {
  return serverError(error) ?? (error instanceof SessionError ? error.message : feedbackText.failed);
}
