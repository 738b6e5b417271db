/** Does work on an Espressif board again after a fault, once the board has been brought back. */
import { retry } from '../../core/retry.ts';
import type { Session } from '../connect/session.ts';
import { asEspError, type EspError, type EspFailure } from '../esp-failure.ts';

/** What another try can clear. */
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

/** A board whose session may be replaced by another one. */
export interface Host {
  readonly session: Session;
  /** Gets the board to answer again. @param attempt how often the work at hand has failed. Rejects when it cannot. */
  recover(failure: EspError, attempt: number, signal: AbortSignal): Promise<void>;
}

/**
 * @param work can be done twice. It is given the current session.
 * @param progress how far it is: a fault after progress is the first one again. Without this, all faults count.
 * @throws EspError: the last one, or what `recover` says.
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
