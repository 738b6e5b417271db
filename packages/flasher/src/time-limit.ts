/** A limit in time on work that takes a signal and may fail by its port. */
import type { Clock } from '@wirebench/clock';
import { limited } from '@wirebench/serial/port';
import { PortError } from './port-failure.ts';

/** Longest time for everything that is tried after a step has run out of time, until the board is given up; in milliseconds. */
export const recoveryLimit = 2_800;

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
