/** Doing again what a disturbance spoiled, after the board has been brought back. */

import type { EspError, EspFailure } from './esp-failure.ts';
import { asEspError } from './failures.ts';
import type { Session } from './session.ts';

/** How often something is tried until the board is given up. */
export const TRIES = 3;
/** What another try can cure. */
const curable: ReadonlySet<EspFailure> = new Set<EspFailure>([
  'stopped-answering',
  'write-failed',
  'read-failed',
  'erase-failed',
  'md5-mismatch',
]);

export function isCurable({ code }: EspError): boolean {
  return curable.has(code);
}

/** A board whose session may be replaced by another one. */
export interface Host {
  readonly session: Session;
  /** Gets the board to answer again. @param attempt how often the work at hand has failed. Rejects when it cannot. */
  recover(failure: EspError, attempt: number, signal: AbortSignal): Promise<void>;
}

/**
 * @param work must be such that it can be done twice. It is given the session of now.
 * @throws EspError: the last one, or what `recover` says.
 */
export async function persist<Result>(
  host: Host,
  signal: AbortSignal,
  work: (session: Session) => Promise<Result>,
  onRepeat?: (attempt: number) => void,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(host.session);
    } catch (error) {
      const failure = asEspError(error, signal);
      if (!isCurable(failure) || attempt === TRIES) {
        throw failure;
      }
      await host.recover(failure, attempt, signal);
      onRepeat?.(attempt + 1);
    }
  }
}
