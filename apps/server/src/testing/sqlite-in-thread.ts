/**
 * SQLite in the thread of the test. Starting and stopping threads takes a third of the processor time of a test of
 * routes. A long statement blocks the event loop here, so tests of load need the product's threads.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SqliteCalls } from '../storage/database/sqlite-calls.ts';
import type { StartRunner } from '../storage/database/sqlite-thread.ts';

/** Copies calls and outcomes as messages between threads are copied, and answers in a later turn of the event loop. */
export const runInThread: StartRunner = (data) => {
  const connection = new SqliteCalls(structuredClone(data));
  return {
    runAll: async (calls) => {
      const received = structuredClone(calls);
      await nextTurn();
      return structuredClone(await connection.carryOut(received));
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
};
