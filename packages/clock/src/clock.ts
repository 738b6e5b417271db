/**
 * A source of time that callers can wait on. All times and durations are in milliseconds and may have fractions.
 *
 * There are two times. `now` measures: time-outs, intervals, durations, the age of a cache entry. `wallTime` dates:
 * everything that is stored, shown, sent to another program, or compared with a date that came from one.
 */
export interface Clock {
  /**
   * Time for waits and durations. Never goes backwards and does not follow corrections of the system's date, so it is
   * no date. A sleeping machine may stop it.
   */
  now(): number;
  /**
   * The date, in milliseconds since the Unix epoch. Goes forwards or backwards by any amount when the system's date is
   * set, and forwards while the machine sleeps.
   */
  wallTime(): number;
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
