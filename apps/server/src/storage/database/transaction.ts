/** Work that is done as a whole or not at all, and that others cannot come in between. */
import { withoutConflicts } from './conflicts.ts';
import type { Queries } from './database.ts';
import { holdLock } from './dialect.ts';

export interface TransactionOptions {
  /**
   * Transactions with the same lock run one after the other, on every process: what one of them counts or reads still holds
   * when it writes. Name what is protected, such as `jkits of {subject}`.
   */
  readonly lock?: string;
}

/**
 * Runs `work` in one transaction; when it throws, nothing is kept. It may run more than once, after a deadlock or a failed
 * serialization, so it must have no effect outside of the database. Throws what `work` throws, `ConstraintError`, or
 * `DatabaseUnavailableError`, also when others got in the way each time.
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
