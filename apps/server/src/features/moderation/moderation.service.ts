/** Rules of reports and moderation: who may report what, and what is done about it. */
import type { Clock } from '@wirebench/clock';
import {
  type AccountList,
  type AccountQuery,
  type AuditList,
  type ItemList,
  type ItemQuery,
  type ModeratedAccount,
  type ModeratedItem,
  type ModerationPage,
  moderationLimits,
  type NewReport,
  type ReportList,
} from '@wirebench/contract';
import { ApiError } from '../../api-error.ts';
import type { User } from '../../identity/user.ts';
import type { Queries } from '../../storage/database/database.ts';
import { findLinked, listItems } from './items.repository.ts';
import type { Act, ItemId, ModerationRepository } from './moderation.repository.ts';
import type { ReportRepository } from './reports.repository.ts';

export interface ModerationServiceOptions {
  readonly queries: Queries;
  readonly moderation: ModerationRepository;
  readonly reports: ReportRepository;
  readonly clock: Clock;
  /** Ends what a blocked account shares besides what is stored. Rejects when it has to be asked again. */
  readonly onBlocked: (subject: string) => Promise<void>;
}

export type ModerationService = ReturnType<typeof moderationService>;

export function moderationService({ queries, moderation, reports, clock, onBlocked }: ModerationServiceOptions) {
  const now = () => new Date(clock.now()).toISOString();
  /** The public name says little to other operators; nobody else reads this one. */
  const actOf = (user: User, reason: string): Act => ({
    subject: user.subject,
    actor: user.email ?? user.name ?? user.username,
    at: now(),
    reason,
  });

  return {
    /** Of something public. What is private or does not exist is not told apart; what is taken down already needs no report. */
    async report({ type, id, reason, note }: NewReport): Promise<void> {
      const stored = await findLinked(queries, type, id);
      if (stored === null || !stored.isPublic) {
        throw new ApiError(stored?.item.withheld == null ? 'not-found' : 'taken-down');
      }
      const { _id: itemId, name: itemName } = stored.item;
      await reports.insert({ type, itemId, itemName, reason, note, at: now() }, moderationLimits.openReports);
    },

    async reports({ limit, skip }: ModerationPage): Promise<ReportList> {
      const [entries, total] = await Promise.all([reports.page(limit, skip), reports.count()]);
      return { reports: entries, pagination: { total, limit, skip } };
    },

    async items({ type, q, limit, skip }: ItemQuery): Promise<ItemList> {
      // One more than asked for says whether more follow.
      const found = await listItems(queries, type, { q, skip, limit: limit + 1 });
      return { items: found.slice(0, limit), pagination: { limit, skip, hasMore: found.length > limit } };
    },

    async takeDown(user: User, target: ItemId, reason: string): Promise<ModeratedItem> {
      const item = await moderation.takeDown(target, actOf(user, reason));
      if (item === 'not-public' || item === null) {
        throw new ApiError('not-found');
      }
      return item;
    },

    restore: async (user: User, target: ItemId, reason: string): Promise<ModeratedItem> =>
      found(await moderation.restore(target, actOf(user, reason))),

    async dismissReports(user: User, target: ItemId, reason: string): Promise<void> {
      if (!(await moderation.dismissReports(target, actOf(user, reason)))) {
        throw new ApiError('not-found');
      }
    },

    async accounts({ q, limit, skip }: AccountQuery): Promise<AccountList> {
      const listed = await moderation.accounts({ q, skip, limit: limit + 1 });
      return { accounts: listed.slice(0, limit), pagination: { limit, skip, hasMore: listed.length > limit } };
    },

    async block(user: User, id: string, reason: string): Promise<ModeratedAccount> {
      const account = found(await moderation.block(id, actOf(user, reason)));
      const subject = await moderation.subjectOf(id);
      if (subject !== null) {
        await onBlocked(subject);
      }
      return account;
    },

    unblock: async (user: User, id: string, reason: string): Promise<ModeratedAccount> =>
      found(await moderation.unblock(id, actOf(user, reason))),

    revokeTokens: async (user: User, id: string, reason: string): Promise<ModeratedAccount> =>
      found(await moderation.revokeTokens(id, actOf(user, reason))),

    async deleteFeedback(user: User, id: string, reason: string): Promise<void> {
      if (!(await moderation.deleteFeedback(id, actOf(user, reason)))) {
        throw new ApiError('not-found');
      }
    },

    async audit({ limit, skip }: ModerationPage): Promise<AuditList> {
      const [entries, total] = await Promise.all([moderation.audit(limit, skip), moderation.countAudit()]);
      return { entries, pagination: { total, limit, skip } };
    },
  };
}

function found<Item>(item: Item | null): Item {
  if (item === null) {
    throw new ApiError('not-found');
  }
  return item;
}
