/** Work that repeats by the clock until the server closes: one run at a time, a failed one is told and tried again later. */
import type { Clock } from '@wirebench/clock';

export interface RepeatedWork {
  readonly work: () => Promise<void>;
  readonly clock: Clock;
  /** Milliseconds from the end of one run to the beginning of the next. */
  readonly interval: number;
  readonly onFailure: (error: unknown) => void;
}

/** Runs `work` once before it resolves. The disposal waits for a run that is under way. */
export async function repeatWork({ work, clock, interval, onFailure }: RepeatedWork): Promise<AsyncDisposable> {
  let isClosed = false;
  let cancel: (() => void) | null = null;
  let running = Promise.resolve();
  const run = async () => {
    await work().catch(onFailure);
    if (!isClosed) {
      cancel = clock.schedule(interval, () => {
        running = run();
      });
    }
  };
  running = run();
  await running;
  return {
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      cancel?.();
      await running;
    },
  };
}
