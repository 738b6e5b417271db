/** A limit in time on something that takes a signal. */
import type { Clock } from '@wirebench/clock';

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
