/** The calls of moderation. Each throws what the API client throws. */
import {
  AccountList,
  AuditList,
  apiPaths,
  FeedbackList,
  ItemAnswer,
  ItemList,
  ModeratedAccountAnswer,
  type ModeratedItem,
  moderationLimits,
  moderationPaths,
  type ReportedType,
  ReportList,
} from '@wirebench/contract';
import { api } from '../../shared/api/api.ts';
import { queryClient } from '../../shared/api/query-client.ts';

/** Of every list; asked anew after each act. */
export const moderationKey = 'moderation';

const limit = moderationLimits.pageSize;

export const moderationLists = {
  reports: async (skip: number, signal: AbortSignal) =>
    (await api()).request(moderationPaths.reports, ReportList, { query: { limit, skip }, signal }),
  items: async (type: ReportedType, q: string, skip: number, signal: AbortSignal) =>
    (await api()).request(moderationPaths.items, ItemList, { query: { type, q, limit, skip }, signal }),
  accounts: async (q: string, skip: number, signal: AbortSignal) =>
    (await api()).request(moderationPaths.accounts, AccountList, { query: { q, limit, skip }, signal }),
  feedback: async (skip: number, signal: AbortSignal) =>
    (await api()).request(apiPaths.feedback, FeedbackList, { query: { page: skip / limit + 1, limit }, signal }),
  audit: async (skip: number, signal: AbortSignal) =>
    (await api()).request(moderationPaths.audit, AuditList, { query: { limit, skip }, signal }),
};

type Target = Pick<ModeratedItem, 'type' | '_id'>;

/** What an operator does, each with the reason that the audit list keeps. */
export const moderationActs = {
  takeDown: ({ type, _id }: Target, reason: string) =>
    acting(async () => {
      await (await api()).request(moderationPaths.takeDown(type, _id), ItemAnswer, {
        method: 'POST',
        body: { reason },
      });
    }),
  restore: ({ type, _id }: Target, reason: string) =>
    acting(async () => {
      await (await api()).request(moderationPaths.restore(type, _id), ItemAnswer, { method: 'POST', body: { reason } });
    }),
  dismissReports: ({ type, _id }: Target, reason: string) => posting(moderationPaths.dismissReports(type, _id), reason),
  block: (id: string, reason: string) => onAccount(moderationPaths.block(id), reason),
  unblock: (id: string, reason: string) => onAccount(moderationPaths.unblock(id), reason),
  revokeTokens: (id: string, reason: string) => onAccount(moderationPaths.revokeTokens(id), reason),
  deleteFeedback: (id: string, reason: string) => posting(moderationPaths.deleteFeedback(id), reason),
};

function onAccount(path: string, reason: string): Promise<void> {
  return acting(async () => {
    await (await api()).request(path, ModeratedAccountAnswer, { method: 'POST', body: { reason } });
  });
}

function posting(path: string, reason: string): Promise<void> {
  return acting(async () => {
    await (await api()).send(path, { method: 'POST', body: { reason } });
  });
}

async function acting(act: () => Promise<void>): Promise<void> {
  await act();
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: [moderationKey] }),
    queryClient.invalidateQueries({ queryKey: ['feedback'] }),
  ]);
}
