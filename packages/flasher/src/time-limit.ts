/** Limits in time on something that takes a signal. */
import type { Clock } from '@wirebench/clock';
import { PortError } from './port-failure.ts';

/** Longest time for everything that is tried after a step has run out of time, until the board is given up; in milliseconds. */
export const recoveryLimit = 2_800;

/** Aborts with `signal`, and after `duration` milliseconds; `cancel` when the work is over. */
export function limited(
  clock: Clock,
  duration: number,
  signal: AbortSignal,
): { signal: AbortSignal; cancel: () => void } {
  const late = new AbortController();
  const cancel = clock.schedule(duration, () => late.abort(new DOMException('Time is up.', 'TimeoutError')));
  return { signal: AbortSignal.any([signal, late.signal]), cancel };
}

/**
 * What `work` gives; null when it ended because `duration` milliseconds were over.
 * @throws the reason of `signal`; PortError; what else `work` throws in time.
 */
export async function inTime<Result>(
  clock: Clock,
  duration: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | null> {
  const limit = limited(clock, duration, signal);
  try {
    return await work(limit.signal);
  } catch (error) {
    signal.throwIfAborted();
    if (limit.signal.aborted && !(error instanceof PortError)) {
      return null;
    }
    throw error;
  } finally {
    limit.cancel();
  }
}
