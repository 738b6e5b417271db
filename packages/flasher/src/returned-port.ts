/** A board on its own USB that vanished at a restart, and comes back as another port. */
import type { Clock } from '@wirebench/clock';
import { limited } from './time-limit.ts';

export interface ReturnOptions {
  readonly clock: Clock;
  /** Resolves with the port as which the board is back; left out: nobody can tell. */
  readonly returned?: (signal: AbortSignal) => Promise<SerialPort>;
}

/** What `returned` gives within `limit` milliseconds; null when that is nothing. @throws the reason of `signal`. */
export async function awaitReturn(
  { clock, returned }: ReturnOptions,
  signal: AbortSignal,
  limit: number,
): Promise<SerialPort | null> {
  if (returned === undefined) {
    return null;
  }
  const late = limited(clock, limit, signal);
  const { promise, resolve } = Promise.withResolvers<null>();
  late.signal.addEventListener('abort', () => resolve(null), { once: true });
  try {
    return await Promise.race([returned(late.signal), promise]).catch((error: unknown) => {
      // Whoever waits for a port ends with the signal that it was given.
      if (late.signal.aborted) {
        return null;
      }
      throw error;
    });
  } finally {
    late.cancel();
    signal.throwIfAborted();
  }
}
