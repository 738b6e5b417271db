/** Retries work on an STM32 after a fault, once its bootloader is synchronised again. */
import { readAgreed, recoverFrom, retry } from '../../core/retry.ts';
import type { Loader } from '../loader.ts';
import { asStmError, StmError, type StmFailure } from '../stm-failure.ts';

/** Failures that another try may clear. A byte that was damaged on the wire can make a bootloader refuse any step. */
const transient: ReadonlySet<StmFailure> = new Set<StmFailure>([
  'stopped-answering',
  'refused',
  'outside-flash',
  'write-failed',
  'read-failed',
  'erase-failed',
  'verify-mismatch',
]);

export function isTransient({ code }: StmError): boolean {
  return transient.has(code);
}

/**
 * Retries `work`.
 *
 * @param work Must be repeatable.
 * @param progress Returns how far the work is. A fault after progress counts as the first one again. Default: all
 *   faults count.
 * @throws StmError, the last one.
 */
export function retryOn<Result>(
  loader: Loader,
  signal: AbortSignal,
  work: () => Promise<Result>,
  progress: () => number = () => 0,
): Promise<Result> {
  return retry(work, {
    progress,
    failureOf: (error) => asStmError(error, signal),
    isTransient,
    recover: (failure, attempt) => recoverLoader(loader, failure, attempt, signal),
  });
}

/**
 * Reads until two readings in a row agree.
 *
 * @param isSame Returns true if two readings agree.
 * @throws StmError `read-failed` if no two do.
 * @throws the rejection of `read`.
 */
export async function readTwice<Result>(
  read: () => Promise<Result>,
  isSame: (one: Result, other: Result) => boolean,
): Promise<Result> {
  const agreed = await readAgreed(read, isSame);
  if (agreed === null) {
    throw new StmError('read-failed', { detail: 'No two readings agree.' });
  }
  return agreed.reading;
}

/**
 * Synchronises the bootloader again.
 *
 * @throws `failure` if the board cannot be recovered.
 * @throws PortError, or the reason of the signal.
 */
export function recoverLoader(loader: Loader, failure: StmError, attempt: number, signal: AbortSignal): Promise<void> {
  return recoverFrom(
    failure,
    () => loader.recover(attempt, signal),
    (error) => asStmError(error, signal),
  );
}
