/** Time limits on the injected clock, for work that may never end and for work that takes a signal. */
import type { Clock } from '@wirebench/clock';

/** Longest wait for the system to release a port, in milliseconds. Some systems need seconds and then succeed. */
export const closeLimit = 5_000;

/** Returns the outcome of `work` after at most `limit` milliseconds. Leaves no timer behind; never rejects. */
export function within(
  clock: Clock,
  limit: number,
  work: Promise<unknown>,
): Promise<'fulfilled' | 'rejected' | 'late'> {
  return new Promise((resolve) => {
    const cancel = clock.schedule(limit, () => resolve('late'));
    const settle = (outcome: 'fulfilled' | 'rejected') => {
      cancel();
      resolve(outcome);
    };
    work.then(
      () => settle('fulfilled'),
      () => settle('rejected'),
    );
  });
}

/** Returns a signal that aborts with `signal` or after `duration` milliseconds. Call `cancel` when the work is over. */
export function limited(
  clock: Clock,
  duration: number,
  signal: AbortSignal,
): { readonly signal: AbortSignal; readonly cancel: () => void } {
  const late = new AbortController();
  const cancel = clock.schedule(duration, () => late.abort(new DOMException('Time is up.', 'TimeoutError')));
  return { signal: AbortSignal.any([signal, late.signal]), cancel };
}
