/** Does work on an STM32 again after a fault, once its bootloader is back in step. */
import { readAgreed, retry } from '../../core/retry.ts';
import type { Loader } from '../loader.ts';
import { asStmError, StmError, type StmFailure } from '../stm-failure.ts';

/** What another try can clear: a byte that was damaged on the way makes a bootloader refuse anything. */
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
 * @param work can be done twice.
 * @param progress how far it is: a fault after progress is the first one again; left out: all faults count.
 * @throws StmError: the last one.
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
    recover: (failure, attempt) => recoverFrom(loader, failure, attempt, signal),
  });
}

/**
 * What two readings in a row say.
 * @param isSame whether two readings agree.
 * @throws StmError `read-failed` when no two do; what `read` rejects with.
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

/** @throws `failure` when the board cannot be brought back; PortError; the signal's reason. */
export async function recoverFrom(
  loader: Loader,
  failure: StmError,
  attempt: number,
  signal: AbortSignal,
): Promise<void> {
  try {
    await loader.recover(attempt, signal);
  } catch (error) {
    const second = asStmError(error, signal);
    throw second.code === 'stopped-answering' ? failure : second;
  }
}
