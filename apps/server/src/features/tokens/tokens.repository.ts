/** Queries of publishing tokens. No other file accesses their table. It stores hashes, never secrets. */
import { randomUUIDv7 } from 'node:crypto';
import type { Token } from '@wirebench/contract';
import type { Queries } from '../../storage/database/database.ts';
import { inTransaction } from '../../storage/database/transaction.ts';

export interface NewTokenRow {
  readonly subject: string;
  readonly username: string;
  readonly projectId: string;
  readonly name: string;
  readonly secretHash: string;
  /** ISO 8601, UTC, as are the other times. */
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly mayReplace?: boolean;
}

/** An unexpired token and its owner. */
export interface TokenHolder {
  readonly id: string;
  readonly name: string;
  /** Null for all projects of the subject. */
  readonly projectId: string | null;
  /** True: may delete the oldest version to make room for a new one. */
  readonly mayReplace?: boolean;
  readonly subject: string;
  /** The owner's public name. */
  readonly username: string;
  /** The owner's last sign-in; null if unknown. */
  readonly ownerSeenAt: string | null;
  readonly isOwnerBlocked: boolean;
  readonly lastUsedAt: string | null;
}

export type TokenRepository = ReturnType<typeof tokenRepository>;

export function tokenRepository(queries: Queries) {
  return {
    /** Newest first. */
    async ofSubject(subject: string): Promise<Token[]> {
      const rows = await queries
        .selectFrom('publishing_tokens as t')
        .leftJoin('firmware_projects as p', 'p.id', 't.project_id')
        .selectAll('t')
        .select('p.name as project_name')
        .where('t.subject', '=', subject)
        .orderBy('t.created_at', 'desc')
        .orderBy('t.id', 'desc')
        .execute();
      return rows.map((row) => ({
        _id: row.id,
        name: row.name,
        ...(row.project_id === null
          ? { scope: 'firmware:write', project: null }
          : { scope: 'firmware:publish', project: { _id: row.project_id, name: row.project_name ?? '' } }),
        createdAt: row.created_at,
        expiresAt: row.expires_at,
        lastUsedAt: row.last_used_at,
        ...(row.may_replace === 1 ? { mayReplace: true } : {}),
      }));
    },

    insert: (
      { subject, username, projectId, name, secretHash, createdAt, expiresAt, mayReplace = false }: NewTokenRow,
      limit: number,
    ): Promise<Token | 'limit' | 'no-project'> =>
      inTransaction<Token | 'limit' | 'no-project'>(
        queries,
        async (transaction) => {
          const project = await transaction
            .selectFrom('firmware_projects')
            .select(['id as _id', 'name'])
            .where('id', '=', projectId)
            .where('subject', '=', subject)
            .executeTakeFirst();
          if (project === undefined) {
            return 'no-project';
          }
          const { total } = await transaction
            .selectFrom('publishing_tokens')
            .select(({ fn }) => fn.countAll().as('total'))
            .where('subject', '=', subject)
            .executeTakeFirstOrThrow();
          if (Number(total) >= limit) {
            return 'limit';
          }
          const id = randomUUIDv7();
          await transaction
            .insertInto('publishing_tokens')
            .values({
              id,
              subject,
              username,
              project_id: projectId,
              name,
              secret_hash: secretHash,
              created_at: createdAt,
              expires_at: expiresAt,
              last_used_at: null,
              may_replace: mayReplace ? 1 : 0,
            })
            .execute();
          const may = mayReplace ? { mayReplace } : {};
          return { _id: id, name, scope: 'firmware:publish', project, createdAt, expiresAt, lastUsedAt: null, ...may };
        },
        { lock: `tokens of ${subject}` },
      ),

    /** Returns false if `subject` has no such token. */
    async remove(id: string, subject: string): Promise<boolean> {
      const { numDeletedRows } = await queries
        .deleteFrom('publishing_tokens')
        .where('id', '=', id)
        .where('subject', '=', subject)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows) > 0;
    },

    /** Returns the token with this secret and its owner. Returns null for an unknown, deleted or expired one. */
    async holder(secretHash: string, now: string): Promise<TokenHolder | null> {
      const row = await queries
        .selectFrom('publishing_tokens as t')
        .leftJoin('accounts as a', 'a.subject', 't.subject')
        .select(['t.id', 't.name', 't.subject', 't.username', 't.project_id', 't.last_used_at', 't.may_replace'])
        .select(['a.public_name', 'a.last_seen_at', 'a.blocked_at'])
        .where('t.secret_hash', '=', secretHash)
        .where('t.expires_at', '>', now)
        .executeTakeFirst();
      return row === undefined
        ? null
        : {
            id: row.id,
            name: row.name,
            projectId: row.project_id,
            ...(row.may_replace === 1 ? { mayReplace: true } : {}),
            subject: row.subject,
            username: row.public_name ?? row.username,
            ownerSeenAt: row.last_seen_at,
            isOwnerBlocked: row.blocked_at !== null,
            lastUsedAt: row.last_used_at,
          };
    },

    async markUsed(id: string, at: string): Promise<void> {
      await queries.updateTable('publishing_tokens').set({ last_used_at: at }).where('id', '=', id).execute();
    },
  };
}

/** Deletes the tokens of a project in the transaction that deletes the project. */
export async function removeTokensOf(transaction: Queries, projectId: string): Promise<void> {
  await transaction.deleteFrom('publishing_tokens').where('project_id', '=', projectId).execute();
}
