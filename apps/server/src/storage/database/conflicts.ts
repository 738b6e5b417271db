/** Retries work that conflicted with other transactions, for as long as that makes sense. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ConflictError, DatabaseUnavailableError } from './database-failure.ts';

const ATTEMPTS = 5;

/** Milliseconds at most before the second attempt; doubled for each after it. */
const PAUSE = 10;

/** Throws what `work` throws, but `DatabaseUnavailableError` when it met a `ConflictError` each time. */
export async function withoutConflicts<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ConflictError)) {
        throw error;
      }
      if (attempt === ATTEMPTS) {
        throw new DatabaseUnavailableError({ cause: error });
      }
      // Of different length, or the same two meet again.
      await sleep(Math.random() * PAUSE * 2 ** (attempt - 1));
    }
  }
}
