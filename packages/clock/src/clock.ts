/** A source of time that callers can wait on. All times and durations are in milliseconds and may have fractions. */
export interface Clock {
  /** Milliseconds since the Unix epoch. Never goes backwards, even if the system's date is set back. */
  now(): number;
  /** Calls `callback` once, `delay` milliseconds from now at the earliest. Returns a function that cancels it. */
  schedule(delay: number, callback: () => void): () => void;
  /** Resolves after `delay` milliseconds. Rejects with the signal's reason as soon as `signal` aborts. */
  sleep(delay: number, signal?: AbortSignal): Promise<void>;
}

/** Implements `sleep` on top of `schedule`, for every clock. */
export function sleepOn(clock: Pick<Clock, 'schedule'>, delay: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.schedule(delay, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
