/** Waits for a board with its own USB that vanished at a restart and comes back as another port. */
import type { Clock } from '@wirebench/clock';
import { aborted, unlessAborted } from '@wirebench/port';
import { inTime } from './time-limit.ts';

/** Resolves with the port as which a board comes back. Rejects with the reason of the signal. */
export interface ReturnedPort {
  (signal: AbortSignal): Promise<SerialPort>;
  /**
   * Longest wait in milliseconds for a person who has to choose the board again, as on a phone, which forgets a device
   * that leaves the bus. Missing or 0: the browser keeps the permission.
   */
  readonly personWait?: number;
}

/** Returns `returned` with the port that `take` makes of it. */
export const followReturn = (returned: ReturnedPort, take: (port: SerialPort) => SerialPort): ReturnedPort =>
  Object.assign(async (signal: AbortSignal) => take(await returned(signal)), {
    personWait: returned.personWait ?? 0,
  });

export interface ReturnOptions {
  readonly clock: Clock;
  /** Left out if the caller cannot find the board. */
  readonly returned?: ReturnedPort;
}

/**
 * Resolves with the port of `returned`; null if that takes longer than `limit` milliseconds, or than a person may take,
 * or is left out.
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
  const longest = Math.max(limit, returned.personWait ?? 0);
  const back = await inTime(clock, longest, signal, (late) => unlessAborted(returned(late), late));
  signal.throwIfAborted();
  return back === aborted ? null : back;
}
