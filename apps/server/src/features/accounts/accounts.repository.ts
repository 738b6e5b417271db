/** Queries of accounts. No other file accesses their table. */
import { randomUUIDv7 } from 'node:crypto';
import { type Account, publicNameKey } from '@wirebench/contract';
import type { Selectable } from 'kysely';
import type { Queries } from '../../storage/database/database.ts';
import { ConstraintError } from '../../storage/database/database-failure.ts';
import { holdLock } from '../../storage/database/dialect.ts';
import type { Tables } from '../../storage/database/tables.ts';
import { inTransaction } from '../../storage/database/transaction.ts';

export type AccountRow = Selectable<Tables['accounts']>;

/** Names of an account at the identity provider. Only operators see them. */
export interface SignInNames {
  readonly signInName: string;
  readonly email: string | null;
}

/** A call with an accepted access token. */
export interface Visit extends SignInNames {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly isAdmin: boolean;
}

/** Copies of public names in the rows of a feature that publishes items. */
export interface PublicNameCopies {
  /** Returns the lock that the feature holds while it adds a row with a copy. */
  lockOf(subject: string): string;
  /** Renames the copies of `subject`. Runs in the transaction that renames the account and holds the lock. */
  rename(transaction: Queries, subject: string, publicName: string): Promise<void>;
}

export type AccountRepository = ReturnType<typeof accountRepository>;

/** @param copies The copies that follow when an account is renamed. Their locks are taken in this order. */
export function accountRepository(queries: Queries, copies: readonly PublicNameCopies[]) {
  return {
    async find(subject: string): Promise<AccountRow | null> {
      return (await findAccount(queries, subject)) ?? null;
    },

    /**
     * Creates an account with this name and returns it, or the account that `subject` already has. Returns null if
     * another account has the name.
     *
     * @param visit Only names for an account that has not signed in yet.
     */
    async insert(
      subject: string,
      publicName: string,
      at: string,
      visit: Visit | SignInNames,
    ): Promise<AccountRow | null> {
      const seen = 'at' in visit ? visit : null;
      await queries
        .insertInto('accounts')
        .values({
          subject,
          id: randomUUIDv7(),
          public_name: publicName,
          name_key: publicNameKey(publicName),
          is_chosen: 0,
          last_seen_at: seen?.at ?? null,
          is_admin: seen === null ? null : Number(seen.isAdmin),
          ...namesOf(visit),
          created_at: at,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return (await findAccount(queries, subject)) ?? null;
    },

    async markSeen(subject: string, visit: Visit): Promise<void> {
      const seen = { last_seen_at: visit.at, is_admin: Number(visit.isAdmin), ...namesOf(visit) };
      await queries.updateTable('accounts').set(seen).where('subject', '=', subject).execute();
    },

    /** Stores the names of an account that has not signed in since they changed. */
    async nameSignIn(subject: string, names: SignInNames): Promise<void> {
      await queries.updateTable('accounts').set(namesOf(names)).where('subject', '=', subject).execute();
    },

    /** Renames the account and everything that it publishes. Returns null if another account has the name. */
    async rename(subject: string, publicName: string): Promise<Account | null> {
      try {
        return await inTransaction(queries, async (transaction) => {
          // Items saved at the same time read the publisher from the account, either before or after this
          // transaction.
          for (const { lockOf } of copies) {
            await holdLock(transaction, lockOf(subject));
          }
          const row = await transaction
            .updateTable('accounts')
            .set({ public_name: publicName, name_key: publicNameKey(publicName), is_chosen: 1 })
            .where('subject', '=', subject)
            .returningAll()
            .executeTakeFirstOrThrow();
          for (const { rename } of copies) {
            await rename(transaction, subject, publicName);
          }
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

const namesOf = ({ signInName, email }: SignInNames) => ({
  sign_in_name: signInName,
  email,
  // A key has no blanks, so a search cannot match across both.
  sign_in_key: `${publicNameKey(signInName)} ${publicNameKey(email ?? '')}`,
});

/** Returns true if the row has these names. */
export const hasNames = (row: AccountRow, { signInName, email }: SignInNames): boolean =>
  row.sign_in_name === signInName && row.email === email;

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
