import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';

/**
 * Locks a SQLite file as another process does, until the result is disposed of. The app may be writing at this moment,
 * in this thread too, so the lock is tried again between turns of the event loop.
 */
export async function lockDatabase(path: string): Promise<Disposable> {
  const database = new DatabaseSync(path);
  await expect
    .poll(() => {
      database.exec('begin immediate');
      return database.isTransaction;
    })
    .toBe(true);
  return {
    [Symbol.dispose]: () => {
      database.exec('rollback');
      database.close();
    },
  };
}
