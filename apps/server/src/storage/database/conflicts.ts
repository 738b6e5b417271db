/** Retries work that conflicted with other transactions, a limited number of times. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ConflictError, DatabaseUnavailableError } from './database-failure.ts';

const ATTEMPTS = 5;

/** Maximum pause before the second attempt in milliseconds. It doubles for each further one. */
const PAUSE = 10;

/**
 * Runs `work` and retries it after a `ConflictError`.
 *
 * @throws DatabaseUnavailableError if every attempt conflicts. Other errors of `work` pass through.
 */
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
      // A random length, or the same two transactions would meet again.
      await sleep(Math.random() * PAUSE * 2 ** (attempt - 1));
    }
  }
}
