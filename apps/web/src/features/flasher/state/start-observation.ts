/** Verdict of the monitor on a board's start. `PageFamily.readStart` derives it from the board's text. */
import type { BootVerdict } from '@wirebench/flasher/core';

/** `absent`: the board has no port since its restart. */
export type StartVerdict = BootVerdict | { readonly kind: 'absent' };

export interface StartObservation {
  readonly verdict: StartVerdict;
  /** True: the monitor has listened so long that missing output is meaningful. */
  readonly waited: boolean;
  /**
   * Evidence in the written files that the program prints, or opens a port: `the banner of Zephyr`. Null or missing: they do
   * not say so, or the monitor could not hear the start.
   */
  readonly prints?: string | null;
  /** Reason why the written program cannot start, of its plan. Null or missing: the plan does not say so. */
  readonly cannotStart?: string | null;
}

/** Returns true if no verdict is possible yet, because the board may still be starting. */
export function isListening({ verdict, waited }: StartObservation): boolean {
  return !waited && (verdict.kind === 'silence' || verdict.kind === 'starting');
}

const quiet: readonly StartVerdict['kind'][] = ['silence', 'unreadable', 'starting', 'app', 'absent'];

/** Returns true if the board shows that its program does not run, or does not run correctly. */
export function startFailed({ verdict, prints = null, cannotStart = null }: StartObservation): boolean {
  return verdict.kind === 'absent' ? prints !== null || cannotStart !== null : !quiet.includes(verdict.kind);
}
