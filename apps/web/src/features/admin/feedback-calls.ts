/** The feedback calls of the dashboard. They throw the errors of the API client. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiPaths, FeedbackList, FeedbackStats, feedbackLimits } from '@wirebench/contract';
import { request, send } from '../../shared/api/api.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { type CallEnds, useApiMutation } from '../../shared/api/use-api-mutation.ts';

/**
 * Returns a page, newest first.
 * @param email Exact address, case-insensitive. Empty: all users.
 */
async function listFeedback(page: number, email: string, signal: AbortSignal): Promise<FeedbackList> {
  const query = { page, limit: feedbackLimits.pageSize, email: email || undefined };
  return request(apiPaths.feedback, FeedbackList, { query, signal });
}

/** Returns the counts. The day begins at local midnight. */
async function feedbackStats(signal: AbortSignal): Promise<FeedbackStats> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return request(apiPaths.feedbackStats, FeedbackStats, { query: { timeZone }, signal });
}

/** Returns all entries of the filter as CSV. */
async function feedbackFile(email: string): Promise<Blob> {
  const answer = await send(apiPaths.feedbackExport, { query: { email: email || undefined } });
  return answer.blob();
}

/** The dashboard's calls. Tests replace them. */
export const feedbackCalls = { list: listFeedback, stats: feedbackStats, file: feedbackFile };
export type FeedbackCalls = typeof feedbackCalls;

/** Query key of all feedback lists. They are fetched again after an operator has deleted an entry. */
export const feedbackKey = 'feedback';

/** @param user Signed-in user. The key keeps one user's answer from the next user. */
export function useFeedback(calls: FeedbackCalls, user: string, email: string, page: number) {
  return useQuery(
    {
      queryKey: [feedbackKey, user, email, page],
      queryFn: ({ signal }) => calls.list(page, email, signal),
      // While a page loads, the previous page stays. After a change of the filter, the list is empty.
      placeholderData: (previous, query) => (query?.queryKey[2] === email ? keepPreviousData(previous) : undefined),
    },
    queryClient,
  );
}

export function useFeedbackStats(calls: FeedbackCalls, user: string) {
  return useQuery({ queryKey: ['feedback-stats', user], queryFn: ({ signal }) => calls.stats(signal) }, queryClient);
}

/** @param email Filter. Empty: all users. */
export function useFeedbackFile(calls: FeedbackCalls, email: string, ends: CallEnds<Blob>) {
  return useApiMutation<Blob>({ mutationFn: () => calls.file(email), ...ends });
}
