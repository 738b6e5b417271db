/** A board on its own USB that vanished at a restart, and comes back as another port. */
import type { Clock } from '@wirebench/clock';
import { aborted, unlessAborted } from '@wirebench/serial/port';
import { inTime } from './time-limit.ts';

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
  const back = await inTime(clock, limit, signal, (late) => unlessAborted(returned(late), late));
  signal.throwIfAborted();
  return back === aborted ? null : back;
}
