/**
 * Work that repeats by the clock until the server closes. Runs never overlap. A failed run is reported, and the next
 * one follows after the interval.
 */
import type { Clock } from '@wirebench/clock';

export interface RepeatedWork {
  readonly work: () => Promise<void>;
  readonly clock: Clock;
  /** Milliseconds from the end of one run to the beginning of the next. */
  readonly interval: number;
  readonly onFailure: (error: unknown) => void;
  /** Milliseconds that the first run may keep the caller waiting. Default: until the run ends. */
  readonly timeout?: number;
}

/** Runs `work` once before it resolves, or until the timeout has passed. The disposal waits for a running `work`. */
export async function repeatWork(repeated: RepeatedWork): Promise<AsyncDisposable> {
  const { work, clock, interval, onFailure, timeout = Number.POSITIVE_INFINITY } = repeated;
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
  if (timeout > 0) {
    await within(running, clock, timeout);
  }
  return {
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      cancel?.();
      await running;
    },
  };
}

/** Resolves when `work` does, or after `timeout` milliseconds. */
async function within(work: Promise<void>, clock: Clock, timeout: number): Promise<void> {
  if (timeout === Number.POSITIVE_INFINITY) {
    await work;
    return;
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = clock.schedule(timeout, resolve);
  await Promise.race([work, promise]);
  cancel();
}
