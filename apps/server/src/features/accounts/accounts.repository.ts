/** Queries of accounts. No other file accesses their table. */
import { randomUUIDv7 } from 'node:crypto';
import { type Account, publicNameKey } from '@wirebench/contract';
import type { Selectable } from 'kysely';
import type { Queries } from '../../storage/database/database.ts';
import { ConstraintError } from '../../storage/database/database-failure.ts';
import { holdLock } from '../../storage/database/dialect.ts';
import type { Tables } from '../../storage/database/tables.ts';
import { inTransaction } from '../../storage/database/transaction.ts';
import { renameProjects } from '../firmware/publisher.repository.ts';
import { renameJkits } from '../jkits/publisher.repository.ts';

export type AccountRow = Selectable<Tables['accounts']>;

export type AccountRepository = ReturnType<typeof accountRepository>;

export function accountRepository(queries: Queries) {
  return {
    async find(subject: string): Promise<AccountRow | null> {
      return (await findAccount(queries, subject)) ?? null;
    },

    /**
     * Creates an account with this name and returns it, or the account that `subject` already has. Returns null if
     * another account has the name.
     */
    async insert(subject: string, publicName: string, at: string): Promise<AccountRow | null> {
      await queries
        .insertInto('accounts')
        .values({
          subject,
          id: randomUUIDv7(),
          public_name: publicName,
          name_key: publicNameKey(publicName),
          is_chosen: 0,
          last_seen_at: at,
          created_at: at,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return (await findAccount(queries, subject)) ?? null;
    },

    async markSeen(subject: string, at: string): Promise<void> {
      await queries.updateTable('accounts').set({ last_seen_at: at }).where('subject', '=', subject).execute();
    },

    /** Renames the account and everything that it publishes. Returns null if another account has the name. */
    async rename(subject: string, publicName: string): Promise<Account | null> {
      try {
        return await inTransaction(queries, async (transaction) => {
          // Items saved at the same time read the publisher from the account, either before or after this
          // transaction.
          await holdLock(transaction, `firmware projects of ${subject}`);
          await holdLock(transaction, `jkits of ${subject}`);
          const row = await transaction
            .updateTable('accounts')
            .set({ public_name: publicName, name_key: publicNameKey(publicName), is_chosen: 1 })
            .where('subject', '=', subject)
            .returningAll()
            .executeTakeFirstOrThrow();
          await renameProjects(transaction, subject, publicName);
          await renameJkits(transaction, subject, publicName);
          return toAccount(row);
        });
      } catch (error) {
        if (error instanceof ConstraintError) {
          return null;
        }
        throw error;
      }
    },
  };
}

export function toAccount(row: AccountRow): Account {
  return {
    publicName: row.public_name,
    isChosen: row.is_chosen === 1,
    blocked: row.blocked_at === null ? null : { reason: row.blocked_reason ?? '' },
  };
}

function findAccount(queries: Queries, subject: string): Promise<AccountRow | undefined> {
  return queries.selectFrom('accounts').selectAll().where('subject', '=', subject).executeTakeFirst();
}
