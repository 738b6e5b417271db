/** Queries of moderation. Each action and its entry in the audit list are one transaction. */
import { randomUUIDv7 } from 'node:crypto';
import type { AuditEntry, ModeratedAccount, ModeratedItem, ModerationAction, ReportedType } from '@wirebench/contract';
import { moderationActions, publicNameKey } from '@wirebench/contract';
import { sql } from 'kysely';
import { holdSharing } from '../../access/sharing-block.repository.ts';
import type { Queries } from '../../storage/database/database.ts';
import { inTransaction } from '../../storage/database/transaction.ts';
import { isKnown } from '../../storage/known-values.ts';
import type { AccountRow } from '../accounts/accounts.repository.ts';
import { findItem, type StoredItem } from './items.repository.ts';
import { removeReports } from './reports.repository.ts';
import { showAll, withhold, withholdAll } from './withholding.repository.ts';

const knownActions = Object.keys(moderationActions) as ModerationAction[];

/** An action's operator, time and reason. */
export interface Act {
  /** The operator's `sub`, and the operator's name at the identity provider. */
  readonly subject: string;
  readonly actor: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly reason: string;
}

export interface ItemId {
  readonly type: ReportedType;
  readonly id: string;
}

export interface AccountSearch {
  /** Part of a public name, sign-in name or e-mail address; empty for every account. */
  readonly q: string;
  readonly state: 'any' | 'blocked';
  readonly skip: number;
  readonly limit: number;
}

export type ModerationRepository = ReturnType<typeof moderationRepository>;

/** An account of the server itself. */
export interface AccountState {
  readonly role: 'user' | 'admin';
  readonly isDisabled: boolean;
}

/** @param stateOf Returns the state of an account of the server itself; null for one of an identity provider. */
export function moderationRepository(queries: Queries, stateOf: (subject: string) => AccountState | null = () => null) {
  const moderated = (row: Parameters<typeof toModerated>[0]) => toModerated(row, stateOf(row.subject));
  /** Runs `work` on an item, while the sharing state of its owner is locked. Returns null if there is no such item. */
  const onItem = <Result>({ type, id }: ItemId, work: (transaction: Queries, stored: StoredItem) => Promise<Result>) =>
    inTransaction(queries, async (transaction) => {
      const before = await findItem(transaction, type, id);
      if (before === null) {
        return null;
      }
      if (before.subject !== null) {
        await holdSharing(transaction, before.subject);
      }
      const stored = await findItem(transaction, type, id);
      return stored === null ? null : work(transaction, stored);
    });

  const reread = async (transaction: Queries, { type, id }: ItemId): Promise<ModeratedItem | null> =>
    (await findItem(transaction, type, id))?.item ?? null;

  /** Runs `work` on an account. Returns null if there is no such account. */
  const onAccount = (id: string, work: (transaction: Queries, account: AccountRow) => Promise<void>) =>
    inTransaction(queries, async (transaction) => {
      const account = await accountById(transaction, id);
      if (account === undefined) {
        return null;
      }
      await holdSharing(transaction, account.subject);
      await work(transaction, account);
      return (await listed(transaction).where('a.id', '=', id).execute()).map(moderated)[0] ?? null;
    });

  return {
    /** Takes an item down. Returns `not-public` if the item is private. */
    takeDown: (target: ItemId, act: Act): Promise<ModeratedItem | 'not-public' | null> =>
      onItem<ModeratedItem | 'not-public' | null>(target, async (transaction, { item, subject, isPublic }) => {
        if (subject === null || (!isPublic && item.withheld === null)) {
          return 'not-public';
        }
        if (item.withheld?.by !== 'taken-down') {
          await withhold(transaction, target, { by: 'taken-down', reason: act.reason });
          await record(transaction, 'taken-down', { id: item._id, name: item.name }, act);
        }
        await removeReports(transaction, target);
        return reread(transaction, target);
      }),

    /** Shows the item again, unless its owner has been blocked. */
    restore: (target: ItemId, act: Act): Promise<ModeratedItem | null> =>
      onItem(target, async (transaction, { item, subject }) => {
        if (item.withheld?.by === 'taken-down') {
          const owner = subject === null ? undefined : await accountOf(transaction, subject);
          const isBlocked = owner !== undefined && owner.blocked_at !== null && target.type !== 'version';
          await withhold(transaction, target, isBlocked ? { by: 'blocked', reason: owner.blocked_reason ?? '' } : null);
          await record(transaction, 'restored', { id: item._id, name: item.name }, act);
        }
        return reread(transaction, target);
      }),

    /** Closes the reports of an item, which may be deleted already. Returns false if the item has no reports. */
    dismissReports: (target: ItemId, act: Act): Promise<boolean> =>
      inTransaction(queries, async (transaction) => {
        const name = await removeReports(transaction, target);
        if (name === null) {
          return false;
        }
        await record(transaction, 'reports-dismissed', { id: target.id, name }, act);
        return true;
      }),

    block: (id: string, act: Act): Promise<ModeratedAccount | null> =>
      onAccount(id, async (transaction, account) => {
        if (account.blocked_at !== null) {
          return;
        }
        await transaction
          .updateTable('accounts')
          .set({ blocked_at: act.at, blocked_reason: act.reason })
          .where('id', '=', id)
          .execute();
        await withholdAll(transaction, account.subject, act.reason);
        await record(transaction, 'blocked', { id, name: account.public_name }, act);
      }),

    /** Returns null if there is no such account. */
    subjectOf: async (id: string): Promise<string | null> => (await accountById(queries, id))?.subject ?? null,

    unblock: (id: string, act: Act): Promise<ModeratedAccount | null> =>
      onAccount(id, async (transaction, account) => {
        if (account.blocked_at === null) {
          return;
        }
        await transaction
          .updateTable('accounts')
          .set({ blocked_at: null, blocked_reason: null })
          .where('id', '=', id)
          .execute();
        await showAll(transaction, account.subject);
        await record(transaction, 'unblocked', { id, name: account.public_name }, act);
      }),

    revokeTokens: (id: string, act: Act): Promise<ModeratedAccount | null> =>
      onAccount(id, async (transaction, account) => {
        await transaction.deleteFrom('publishing_tokens').where('subject', '=', account.subject).execute();
        await record(transaction, 'tokens-revoked', { id, name: account.public_name }, act);
      }),

    /** Returns false if there is no such message. */
    deleteFeedback: (id: string, act: Act): Promise<boolean> =>
      inTransaction(queries, async (transaction) => {
        const { numDeletedRows } = await transaction
          .deleteFrom('feedback')
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        if (Number(numDeletedRows) === 0) {
          return false;
        }
        // The text and the sender of the message are not kept.
        await record(transaction, 'feedback-deleted', { id, name: id }, act);
        return true;
      }),

    /** @param caller `sub` of the operator that reads the list. */
    async accounts({ q, state, skip, limit }: AccountSearch, caller: string): Promise<ModeratedAccount[]> {
      const any = listed(queries);
      const all = state === 'blocked' ? any.where('a.blocked_at', 'is not', null) : any;
      const key = publicNameKey(q);
      const wanted =
        key === ''
          ? all
          : // Keys have no word boundaries, so a final sigma matches a medial one.
            all.where(({ or, eb }) =>
              or(
                [sql<string>`replace(a.name_key, 'ς', 'σ')`, sql<string>`replace(a.sign_in_key, 'ς', 'σ')`].map(
                  (stored) => eb(stored, 'like', `%${key.replaceAll('ς', 'σ')}%`),
                ),
              ),
            );
      const rows = await wanted.orderBy('a.name_key').limit(limit).offset(skip).execute();
      return rows.map((row) => ({ ...moderated(row), ...(row.subject === caller ? { isYou: true } : {}) }));
    },

    /** Newest first. */
    async audit(limit: number, skip: number): Promise<AuditEntry[]> {
      const rows = await queries
        .selectFrom('moderation_log')
        .selectAll()
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(skip)
        .execute();
      // A page may be shorter than asked for while a newer server writes to the list.
      const known = rows.filter(({ action }) => isKnown(knownActions, action));
      return known.map(({ id, at, actor, action, target_name, reason }) => ({
        _id: id,
        at,
        by: actor,
        action,
        what: target_name,
        reason,
      }));
    },

    async countAccounts(): Promise<number> {
      const { total } = await queries
        .selectFrom('accounts')
        .select(({ fn }) => fn.countAll().as('total'))
        .executeTakeFirstOrThrow();
      return Number(total);
    },

    async countAudit(): Promise<number> {
      const { total } = await queries
        .selectFrom('moderation_log')
        .select(({ fn }) => fn.countAll().as('total'))
        .executeTakeFirstOrThrow();
      return Number(total);
    },
  };
}

async function record(
  transaction: Queries,
  action: ModerationAction,
  target: { readonly id: string; readonly name: string },
  { subject, actor, at, reason }: Act,
): Promise<void> {
  await transaction
    .insertInto('moderation_log')
    .values({ id: randomUUIDv7(), at, subject, actor, action, target_id: target.id, target_name: target.name, reason })
    .execute();
}

function accountById(queries: Queries, id: string): Promise<AccountRow | undefined> {
  return queries.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
}

function accountOf(queries: Queries, subject: string): Promise<AccountRow | undefined> {
  return queries.selectFrom('accounts').selectAll().where('subject', '=', subject).executeTakeFirst();
}

function listed(queries: Queries) {
  return queries
    .selectFrom('accounts as a')
    .selectAll('a')
    .select(({ selectFrom }) =>
      selectFrom('publishing_tokens')
        .select(({ fn }) => fn.countAll().as('count'))
        .whereRef('publishing_tokens.subject', '=', 'a.subject')
        .as('tokens'),
    );
}

/** Returns the role of the last visit; nothing if it is unknown. */
function roleSeen({ is_admin: isAdmin }: AccountRow): { readonly role?: 'user' | 'admin' } {
  return isAdmin === null ? {} : { role: isAdmin === 1 ? 'admin' : 'user' };
}

function toModerated(
  row: AccountRow & { readonly tokens: string | number | bigint | null },
  state: AccountState | null,
): ModeratedAccount {
  return {
    _id: row.id,
    publicName: row.public_name,
    ...(row.sign_in_name === null ? {} : { signInName: row.sign_in_name }),
    ...(row.email === null ? {} : { email: row.email }),
    ...(state === null ? roleSeen(row) : { role: state.role, ...(state.isDisabled ? { isDisabled: true } : {}) }),
    lastSeenAt: row.last_seen_at,
    tokens: Number(row.tokens),
    blocked: row.blocked_at === null ? null : { reason: row.blocked_reason ?? '', at: row.blocked_at },
  };
}
