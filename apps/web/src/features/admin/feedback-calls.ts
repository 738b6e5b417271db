/** The feedback calls of the dashboard. Each throws what the API client throws. */
import { apiPaths, FeedbackList, FeedbackStats, feedbackLimits } from '@wirebench/contract';
import { api } from '../../shared/api/api.ts';

/** One page, newest first. @param email exact, in any case; empty for everybody's */
async function listFeedback(page: number, email: string, signal: AbortSignal): Promise<FeedbackList> {
  const query = { page, limit: feedbackLimits.pageSize, email: email || undefined };
  return (await api()).request(apiPaths.feedback, FeedbackList, { query, signal });
}

/** Counts; the day begins where this browser is. */
async function feedbackStats(signal: AbortSignal): Promise<FeedbackStats> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return (await api()).request(apiPaths.feedbackStats, FeedbackStats, { query: { timeZone }, signal });
}

/** Everything that the filter lets through, as CSV. */
async function feedbackFile(email: string): Promise<Blob> {
  const answer = await (await api()).send(apiPaths.feedbackExport, { query: { email: email || undefined } });
  return answer.blob();
}

/** The calls as the dashboard makes them; tests hand in their own. */
export const feedbackCalls = { list: listFeedback, stats: feedbackStats, file: feedbackFile };
export type FeedbackCalls = typeof feedbackCalls;
