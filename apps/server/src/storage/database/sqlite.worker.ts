/** The thread of `sqlite-thread.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { SqliteCalls } from './sqlite-calls.ts';
import type { Batch, ConnectionData } from './sqlite-thread.ts';

const connection = new SqliteCalls(workerData as ConnectionData);

parentPort?.on('message', async ({ id, calls }: Batch) => {
  parentPort?.postMessage({ id, outcomes: await connection.carryOut(calls) });
});
