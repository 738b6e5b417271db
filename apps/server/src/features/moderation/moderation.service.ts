/** Rules of reports and moderation: which items may be reported, and what operators may do. */
import type { Clock } from '@wirebench/clock';
import {
  type AccountList,
  type AccountQuery,
  type AdminCounts,
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
import { ApiError, requireFound } from '../../api-error.ts';
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
  /** Ends the benches that a blocked account shares at the moment. Rejects if the call has to be repeated. */
  readonly onBlocked: (subject: string) => Promise<void>;
  /**
   * Accounts that the server itself keeps; null if an identity provider does. `list` gives them a place in the list before
   * their first sign-in. `command` changes them.
   */
  readonly ownAccounts: { readonly list: () => Promise<void>; readonly command: string } | null;
}

export type ModerationService = ReturnType<typeof moderationService>;

export function moderationService({
  queries,
  moderation,
  reports,
  clock,
  onBlocked,
  ownAccounts,
}: ModerationServiceOptions) {
  const now = () => new Date(clock.wallTime()).toISOString();
  /**
   * Describes the action. It names the operator by e-mail or name, because a public name says little to other
   * operators. Only operators read it.
   */
  const actOf = (user: User, reason: string): Act => ({
    subject: user.subject,
    actor: user.email ?? user.name ?? user.username,
    at: now(),
    reason,
  });

  return {
    /**
     * Reports a public item. Private and missing items get the same answer. An item that is already taken down needs
     * no report.
     */
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
      // Asks for one item more than the limit, which shows whether more follow.
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
      requireFound(await moderation.restore(target, actOf(user, reason))),

    async dismissReports(user: User, target: ItemId, reason: string): Promise<void> {
      if (!(await moderation.dismissReports(target, actOf(user, reason)))) {
        throw new ApiError('not-found');
      }
    },

    async accounts(user: User, { q, state, limit, skip }: AccountQuery): Promise<AccountList> {
      if (skip === 0) {
        await ownAccounts?.list();
      }
      const listed = await moderation.accounts({ q, state, skip, limit: limit + 1 }, user.subject);
      const pagination = { limit, skip, hasMore: listed.length > limit };
      const command = ownAccounts === null ? {} : { command: ownAccounts.command };
      return { accounts: listed.slice(0, limit), ...command, pagination };
    },

    async block(user: User, id: string, reason: string): Promise<ModeratedAccount> {
      const subject = await moderation.subjectOf(id);
      if (subject === user.subject) {
        throw new ApiError('own-account');
      }
      const account = requireFound(await moderation.block(id, actOf(user, reason)));
      if (subject !== null) {
        await onBlocked(subject);
      }
      return account;
    },

    unblock: async (user: User, id: string, reason: string): Promise<ModeratedAccount> =>
      requireFound(await moderation.unblock(id, actOf(user, reason))),

    revokeTokens: async (user: User, id: string, reason: string): Promise<ModeratedAccount> =>
      requireFound(await moderation.revokeTokens(id, actOf(user, reason))),

    async deleteFeedback(user: User, id: string, reason: string): Promise<void> {
      if (!(await moderation.deleteFeedback(id, actOf(user, reason)))) {
        throw new ApiError('not-found');
      }
    },

    /** Returns the number of entries of the lists. */
    async counts(): Promise<Pick<AdminCounts, 'reports' | 'accounts' | 'audit'>> {
      await ownAccounts?.list();
      const [open, accounts, audit] = await Promise.all([
        reports.count(),
        moderation.countAccounts(),
        moderation.countAudit(),
      ]);
      return { reports: open, accounts, audit };
    },

    async audit({ limit, skip }: ModerationPage): Promise<AuditList> {
      const [entries, total] = await Promise.all([moderation.audit(limit, skip), moderation.countAudit()]);
      return { entries, pagination: { total, limit, skip } };
    },
  };
}
