/** The calls of moderation. They throw the errors of the API client. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  AccountList,
  AdminCounts,
  AuditList,
  ItemAnswer,
  ItemList,
  ModeratedAccountAnswer,
  type ModeratedItem,
  moderationLimits,
  moderationPaths,
  type ReportedType,
  ReportList,
  ServerState,
} from '@wirebench/contract';
import { api, request } from '../../shared/api/api.ts';
import type { AnswerSchema } from '../../shared/api/api-client.ts';
import { queryClient } from '../../shared/api/query-client.ts';
import { type CallEnds, useApiMutation } from '../../shared/api/use-api-mutation.ts';
import { feedbackKey } from './feedback-calls.ts';

const moderationKey = 'moderation';

const limit = moderationLimits.pageSize;

export const moderationLists = {
  reports: async (skip: number, signal: AbortSignal) =>
    request(moderationPaths.reports, ReportList, { query: { limit, skip }, signal }),
  items: async (type: ReportedType, q: string, skip: number, signal: AbortSignal) =>
    request(moderationPaths.items, ItemList, { query: { type, q, limit, skip }, signal }),
  accounts: async (wanted: { readonly q: string; readonly state: string }, skip: number, signal: AbortSignal) =>
    request(moderationPaths.accounts, AccountList, { query: { ...wanted, limit, skip }, signal }),
  audit: async (skip: number, signal: AbortSignal) =>
    request(moderationPaths.audit, AuditList, { query: { limit, skip }, signal }),
};

/** Fetches a page of a list. @param of User and filter. Each combination is a list of its own. */
export function useModerationList<Answer>(
  of: readonly string[],
  skip: number,
  load: (skip: number, signal: AbortSignal) => Promise<Answer>,
) {
  return useQuery(
    {
      queryKey: [moderationKey, ...of, skip],
      queryFn: ({ signal }) => load(skip, signal),
      placeholderData: keepPreviousData,
    },
    queryClient,
  );
}

/** Returns the numbers of entries of the lists; undefined before their first answer, or without it. */
export function useAdminCounts(user: string): AdminCounts | undefined {
  return useQuery(
    {
      queryKey: [moderationKey, user, 'counts'],
      queryFn: ({ signal }) => request(moderationPaths.counts, AdminCounts, { signal }),
      // A tab without its number is no failure that a person has to know of.
      retry: false,
    },
    queryClient,
  ).data;
}

/** Fetches the state of the server, again at each visit. */
export function useServerState(user: string) {
  return useQuery(
    {
      queryKey: [moderationKey, user, 'state'],
      queryFn: ({ signal }) => request(moderationPaths.state, ServerState, { signal }),
      staleTime: 0,
    },
    queryClient,
  );
}

type Target = Pick<ModeratedItem, 'type' | '_id'>;

/** Actions of an operator, each with the reason that the audit list keeps. */
export const moderate = {
  takeDown: ({ type, _id }: Target, reason: string) => post(moderationPaths.takeDown(type, _id), reason, ItemAnswer),
  restore: ({ type, _id }: Target, reason: string) => post(moderationPaths.restore(type, _id), reason, ItemAnswer),
  dismissReports: ({ type, _id }: Target, reason: string) => post(moderationPaths.dismissReports(type, _id), reason),
  block: (id: string, reason: string) => post(moderationPaths.block(id), reason, ModeratedAccountAnswer),
  unblock: (id: string, reason: string) => post(moderationPaths.unblock(id), reason, ModeratedAccountAnswer),
  revokeTokens: (id: string, reason: string) => post(moderationPaths.revokeTokens(id), reason, ModeratedAccountAnswer),
  deleteFeedback: (id: string, reason: string) => post(moderationPaths.deleteFeedback(id), reason),
};

/** @param answer Undefined for calls without a body in their answer. */
async function post(path: string, reason: string, answer?: AnswerSchema<unknown>): Promise<void> {
  const client = await api();
  const call = { method: 'POST', body: { reason } } as const;
  await (answer === undefined ? client.send(path, call) : client.request(path, answer, call));
}

/**
 * Mutation of an operator. Completes after the lists are up to date.
 * @param run One of `moderate`. Receives the reason.
 */
export function useModeration(run: (reason: string) => Promise<void>, { onSuccess, onError }: CallEnds<void, string>) {
  return useApiMutation<void, string>({
    mutationFn: run,
    onSuccess: async (data, reason) => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: [moderationKey] }),
        queryClient.invalidateQueries({ queryKey: [feedbackKey] }),
      ]);
      onSuccess?.(data, reason);
    },
    onError,
  });
}
