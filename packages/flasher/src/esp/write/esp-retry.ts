/** Retries work on an Espressif board after a fault, once the board has recovered. */
import { retry } from '../../core/retry.ts';
import type { Session } from '../connect/session.ts';
import { asEspError, type EspError, type EspFailure } from '../esp-failure.ts';

/** Failures that another try may clear. */
const transient: ReadonlySet<EspFailure> = new Set<EspFailure>([
  'stopped-answering',
  'write-failed',
  'read-failed',
  'erase-failed',
  'md5-mismatch',
]);

export function isTransient({ code }: EspError): boolean {
  return transient.has(code);
}

/** A board whose session may be replaced. */
export interface Host {
  readonly session: Session;
  /**
   * Gets the board to answer again; rejects if it cannot.
   *
   * @param attempt Number of failures of the current work.
   */
  recover(failure: EspError, attempt: number, signal: AbortSignal): Promise<void>;
}

/**
 * Retries `work`.
 *
 * @param work Must be repeatable. Receives the current session.
 * @param progress Returns how far the work is. A fault after progress counts as the first one again. Without it, all
 *   faults count.
 * @throws EspError, the last one or that of `recover`.
 */
export function retryOn<Result>(
  host: Host,
  signal: AbortSignal,
  work: (session: Session) => Promise<Result>,
  progress?: () => number,
): Promise<Result> {
  return retry(() => work(host.session), {
    failureOf: (error) => asEspError(error, signal),
    isTransient,
    recover: (failure, attempt) => host.recover(failure, attempt, signal),
    ...(progress && { progress }),
  });
}
