import { apiPaths, FeedbackAnswer, feedbackText, type NewFeedback } from '@wirebench/contract';
import { request } from '../../shared/api/api.ts';
import { serverError } from '../../shared/api/api-error.ts';
import { type CallEnds, useApiMutation } from '../../shared/api/use-api-mutation.ts';
import { SessionError } from '../../shared/session/session-errors.ts';

/** Sends one message. Rejects with the errors of the API client. */
export async function sendFeedback(feedback: NewFeedback): Promise<FeedbackAnswer> {
  return request(apiPaths.feedback, FeedbackAnswer, { method: 'POST', body: feedback });
}

/** @param send Sends the message. Tests replace it. */
export function useSendFeedback(send: typeof sendFeedback, ends: CallEnds<FeedbackAnswer, NewFeedback>) {
  return useApiMutation<FeedbackAnswer, NewFeedback>({ mutationFn: send, ...ends });
}

/** Returns the text of a failed attempt: that of the server, of the session, or the default. */
export function sendFailureText(error: unknown): string {
  return serverError(error) ?? (error instanceof SessionError ? error.message : feedbackText.failed);
}
