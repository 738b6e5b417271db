/** Limits the time of work that takes a signal and may fail by its port. */
import type { Clock } from '@wirebench/clock';
import { limited } from '@wirebench/port';
import { PortError } from './port-failure.ts';

/** Time for all recovery attempts after a step timed out, in milliseconds. The board is given up afterwards. */
export const recoveryLimit = 2_800;

/**
 * Runs `work` for at most `duration` milliseconds. Resolves with its result, or null after a timeout.
 *
 * @throws the reason of `signal`, PortError, and errors of `work` before the timeout.
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
