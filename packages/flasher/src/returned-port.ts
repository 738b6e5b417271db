/** Waits for a board with its own USB that vanished at a restart and comes back as another port. */
import type { Clock } from '@wirebench/clock';
import { aborted, unlessAborted } from '@wirebench/port';
import { inTime } from './time-limit.ts';

export interface ReturnOptions {
  readonly clock: Clock;
  /** Resolves with the new port of the board. Left out if the caller cannot find it. */
  readonly returned?: (signal: AbortSignal) => Promise<SerialPort>;
}

/**
 * Resolves with the port of `returned`; null if that takes longer than `limit` milliseconds or is left out.
 *
 * @throws the reason of `signal`.
 */
export async function awaitReturn(
  { clock, returned }: ReturnOptions,
  signal: AbortSignal,
  limit: number,
): Promise<SerialPort | null> {
  if (returned === undefined) {
    return null;
  }
  const back = await inTime(clock, limit, signal, (late) => unlessAborted(returned(late), late));
  signal.throwIfAborted();
  return back === aborted ? null : back;
}
