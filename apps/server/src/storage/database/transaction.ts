/** Runs work as a transaction, optionally under a lock. */
import { withoutConflicts } from './conflicts.ts';
import type { Queries } from './database.ts';
import { holdLock } from './dialect.ts';

export interface TransactionOptions {
  /**
   * Transactions with the same lock run one after the other, in every process. Results that one of them reads are
   * still valid when it writes. Name the protected data, such as `jkits of {subject}`.
   */
  readonly lock?: string;
}

/**
 * Runs `work` in one transaction, which is rolled back if it throws. `work` may run more than once, after a deadlock
 * or a failed serialization, so it must have no effect outside the database.
 *
 * @throws ConstraintError if a constraint rejects a row.
 * @throws DatabaseUnavailableError if the database is unavailable, or every attempt conflicts. Errors of `work` pass
 *   through.
 */
export function inTransaction<Result>(
  queries: Queries,
  work: (transaction: Queries) => Promise<Result>,
  { lock }: TransactionOptions = {},
): Promise<Result> {
  return withoutConflicts(() =>
    queries.transaction().execute(async (transaction) => {
      if (lock !== undefined) {
        await holdLock(transaction, lock);
      }
      return work(transaction);
    }),
  );
}
