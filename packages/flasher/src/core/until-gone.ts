import type { Clock } from '@wirebench/clock';
import { deferred } from '@wirebench/port';

/**
 * Longest time for a bootloader on the chip's own USB to leave after the command to restart, in milliseconds. Nordic's stores its
 * settings first.
 */
const leaveLimit = 3_000;

/**
 * Waits until the bootloader's port is gone, or the limit has passed. The program has another port, and a caller that
 * looks for it must not take the bootloader's.
 *
 * @param over Aborts when the port is gone.
 */
export async function untilGone(over: AbortSignal, clock: Clock): Promise<void> {
  if (over.aborted) {
    return;
  }
  const { promise, resolve } = deferred<void>();
  over.addEventListener('abort', () => resolve(), { once: true });
  const cancel = clock.schedule(leaveLimit, resolve);
  await promise;
  cancel();
}
