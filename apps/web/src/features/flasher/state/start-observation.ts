/** Verdict of the monitor on a board's start. `PageFamily.readStart` derives it from the board's text. */
import type { BootVerdict } from '@wirebench/flasher/core';

export interface StartObservation {
  readonly verdict: BootVerdict;
  /** True: the monitor has listened so long that missing output is meaningful. */
  readonly waited: boolean;
}

/** Returns true if no verdict is possible yet, because the board may still be starting. */
export function isListening({ verdict, waited }: StartObservation): boolean {
  return !waited && (verdict.kind === 'silence' || verdict.kind === 'starting');
}

const quiet: readonly BootVerdict['kind'][] = ['silence', 'unreadable', 'starting', 'app'];

/** Returns true if the board's output shows that its program does not run, or does not run correctly. */
export function startFailed({ verdict }: StartObservation): boolean {
  return !quiet.includes(verdict.kind);
}
