/** Limits calls of WebUSB, which may never settle. */
import type { Clock } from '@wirebench/clock';
import { deferred } from '@wirebench/port';
import { RpError } from '../rp-failure.ts';

/**
 * Returns the outcome of `work`.
 *
 * @param what Name of the work for the log.
 * @throws RpError `stopped-answering` after `limit` milliseconds. @throws the rejection of `work`.
 */
export async function settled<Result>(
  clock: Clock,
  limit: number,
  work: Promise<Result>,
  what = 'the device',
): Promise<Result> {
  const late = deferred<never>();
  const cancel = clock.schedule(limit, () =>
    late.reject(new RpError('stopped-answering', { detail: `No answer: ${what}.` })),
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    cancel();
  }
}
