/**
 * Requests at a steady rate, whatever the answer times. They come from a separate thread, so that the benchmark's own
 * work does not look like server delay.
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
  /** Milliseconds from the due time of each request to the end of its answer, unsorted. */
  readonly times: readonly number[];
  /** Answers other than success, and requests without an answer. */
  readonly failures: number;
}

export interface RunningLoad {
  /** Stops sending and waits for outstanding answers. */
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
