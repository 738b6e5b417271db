/** Queries of publishing tokens: the only place that knows their table. Secrets never get here, only their hashes. */
import { randomUUIDv7 } from 'node:crypto';
import { type Token, tokenScope } from '@wirebench/contract';
import type { Queries } from '../../storage/database/database.ts';
import { inTransaction } from '../../storage/database/transaction.ts';

export interface NewTokenRow {
  readonly subject: string;
  readonly username: string;
  readonly name: string;
  readonly secretHash: string;
  /** ISO 8601, UTC; so are the other times. */
  readonly createdAt: string;
  readonly expiresAt: string;
}

/** A token that is good at the moment, and whom it speaks for. */
export interface TokenHolder {
  readonly id: string;
  readonly name: string;
  readonly subject: string;
  readonly username: string;
  readonly lastUsedAt: string | null;
}

export type TokenRepository = ReturnType<typeof tokenRepository>;

export function tokenRepository(queries: Queries) {
  return {
    /** Newest first. */
    async ofSubject(subject: string): Promise<Token[]> {
      const rows = await queries
        .selectFrom('publishing_tokens')
        .selectAll()
        .where('subject', '=', subject)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map((row) => ({
        _id: row.id,
        name: row.name,
        scope: tokenScope,
        createdAt: row.created_at,
        expiresAt: row.expires_at,
        lastUsedAt: row.last_used_at,
      }));
    },

    insert: ({ subject, username, name, secretHash, createdAt, expiresAt }: NewTokenRow, limit: number) =>
      inTransaction<Token | 'limit'>(
        queries,
        async (transaction) => {
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
              name,
              secret_hash: secretHash,
              created_at: createdAt,
              expires_at: expiresAt,
              last_used_at: null,
            })
            .execute();
          return { _id: id, name, scope: tokenScope, createdAt, expiresAt, lastUsedAt: null };
        },
        { lock: `tokens of ${subject}` },
      ),

    /** False when `subject` has no such token. */
    async remove(id: string, subject: string): Promise<boolean> {
      const { numDeletedRows } = await queries
        .deleteFrom('publishing_tokens')
        .where('id', '=', id)
        .where('subject', '=', subject)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows) > 0;
    },

    /** Null for a secret that nobody was given, that was deleted or has expired. */
    async holder(secretHash: string, now: string): Promise<TokenHolder | null> {
      const row = await queries
        .selectFrom('publishing_tokens')
        .select(['id', 'name', 'subject', 'username', 'last_used_at as lastUsedAt'])
        .where('secret_hash', '=', secretHash)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row ?? null;
    },

    async markUsed(id: string, at: string): Promise<void> {
      await queries.updateTable('publishing_tokens').set({ last_used_at: at }).where('id', '=', id).execute();
    },
  };
}
