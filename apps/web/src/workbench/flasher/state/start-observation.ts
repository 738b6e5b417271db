/** What the monitor has heard of a board since its restart. Knows no text of a board: `PageFamily.readStart` reads that. */
import type { BootVerdict } from '@wirebench/flasher/core';

export interface StartObservation {
  readonly verdict: BootVerdict;
  /** The monitor has listened so long that what it has not heard says something, too. */
  readonly waited: boolean;
}

/** Nothing can be said yet: the board may still be starting. */
export function isListening({ verdict, waited }: StartObservation): boolean {
  return !waited && (verdict.kind === 'silence' || verdict.kind === 'starting');
}

const quiet: readonly BootVerdict['kind'][] = ['silence', 'unreadable', 'starting', 'app'];

/** The board has said that its program does not run, or not as it should. */
export function startFailed({ verdict }: StartObservation): boolean {
  return !quiet.includes(verdict.kind);
}
