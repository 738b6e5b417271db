/** Retries work on an AVR after a fault, once its bootloader answers again. */
import { readAgreed, recoverFrom, retry } from '../../core/retry.ts';
import { AvrError, type AvrFailure, asAvrError } from '../avr-failure.ts';
import type { Session } from '../connect/session.ts';

/** Failures that another try may clear. A byte that was damaged on the wire can make a bootloader refuse any step. */
const transient: ReadonlySet<AvrFailure> = new Set<AvrFailure>(['stopped-answering', 'refused', 'read-failed']);

export interface RetryOptions {
  readonly progress?: () => number;
  readonly repeated?: () => void;
  readonly recover?: () => Promise<void>;
}

/**
 * Retries `work`.
 *
 * @param work Must be repeatable.
 * @param progress Returns how far the work is. A fault after progress counts as the first one again. Default: all
 *   faults count.
 * @param repeated Called before each repetition.
 * @param recover Gets the bootloader to answer again. Default: `Session.recover`.
 * @throws AvrError, the last one.
 */
export function retryOn<Result>(
  session: Session,
  signal: AbortSignal,
  work: () => Promise<Result>,
  { progress = () => 0, repeated, recover = () => session.recover(signal) }: RetryOptions = {},
): Promise<Result> {
  return retry(work, {
    progress,
    failureOf: (error) => asAvrError(error, signal),
    isTransient: ({ code }) => transient.has(code),
    recover: async (failure) => {
      await recoverFrom(failure, recover, (error) => asAvrError(error, signal));
      repeated?.();
    },
  });
}

/**
 * Reads until two readings agree, or once if the answers have a checksum.
 *
 * @throws AvrError `read-failed` if no two do.
 * @throws the rejection of `read`.
 */
export async function readSurely(
  { driver }: Session,
  read: () => Promise<Uint8Array>,
  isSame: (one: Uint8Array, other: Uint8Array) => boolean,
): Promise<Uint8Array> {
  if (driver.isChecked) {
    return read();
  }
  const agreed = await readAgreed(read, isSame);
  if (agreed === null) {
    throw new AvrError('read-failed', { detail: 'No two readings agree.' });
  }
  return agreed.reading;
}
