/** Doing again what a disturbance spoiled, after the bootloader has been brought back into step. */
import type { Loader } from './loader.ts';
import { asStmError, StmError, type StmFailure } from './stm-failure.ts';

/** How often something is tried until the board is given up. */
export const TRIES = 3;

/** What another try can cure: a byte that was damaged on the way makes a bootloader refuse anything. */
const curable: ReadonlySet<StmFailure> = new Set<StmFailure>([
  'stopped-answering',
  'refused',
  'outside-flash',
  'write-failed',
  'read-failed',
  'erase-failed',
  'verify-mismatch',
]);

export function isCurable({ code }: StmError): boolean {
  return curable.has(code);
}

/**
 * @param work must be such that it can be done twice.
 * @throws StmError: the last one.
 */
export async function persist<Result>(
  loader: Loader,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const failure = asStmError(error, signal);
      if (!isCurable(failure) || attempt === TRIES) {
        throw failure;
      }
      await recoverFrom(loader, failure, attempt, signal);
    }
  }
}

/** How often something that carries no checksum is read until two readings agree. */
const READINGS = 5;

/**
 * What two readings in a row say.
 * @param isSame whether two readings agree.
 * @throws StmError `read-failed` when no two do; what `read` rejects with.
 */
export async function readTwice<Result>(
  read: () => Promise<Result>,
  isSame: (one: Result, other: Result) => boolean,
): Promise<Result> {
  let last = await read();
  for (let reading = 1; reading < READINGS; reading++) {
    const next = await read();
    if (isSame(last, next)) {
      return next;
    }
    last = next;
  }
  throw new StmError('read-failed', { detail: 'No two readings agree.' });
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
