/**
 * Requests at a steady rate, however long the answers take, from a thread of its own: what else the benchmark does must not look
 * like the server's delay.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface SteadyLoad {
  readonly port: number;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly perSecond: number;
}

interface SteadyResult {
  /** Milliseconds from the moment at which a request was due to the end of its answer, unsorted. */
  readonly times: readonly number[];
  /** Answers that were no success, and requests without an answer. */
  readonly failures: number;
}

export interface RunningLoad {
  /** Waits for the answers that are still to come. */
  stop(): Promise<SteadyResult>;
}

export async function startSteadyLoad(load: SteadyLoad): Promise<RunningLoad> {
  const worker = new Worker(new URL('./steady-load.worker.ts', import.meta.url), { workerData: load });
  await once(worker, 'message');
  return {
    stop: async () => {
      worker.postMessage('stop');
      const [result] = await once(worker, 'message');
      await worker.terminate();
      return result as SteadyResult;
    },
  };
}
