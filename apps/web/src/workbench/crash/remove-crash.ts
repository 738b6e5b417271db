/** Removes a crash or a restart from the lists of the page, and offers to restore it. */
import { isCrash } from '@wirebench/symbols';
import type { Incident } from '../../protocol/bench/crash-part.ts';
import { offerUndo } from '../../shared/ui/offer-undo.ts';
import { removeIncident } from './incident-store.ts';
import { removeCoreDump } from './symbol-files.ts';

export interface RemovedCrash {
  /** Id of its core dump, also of one that could not be read; null without. */
  readonly dump: number | null;
  /** Null: the log holds no lines of it. */
  readonly incident: Incident | null;
}

/** The log keeps the lines. */
export function removeCrash({ dump, incident }: RemovedCrash): void {
  const restoreDump = dump === null ? null : removeCoreDump(dump);
  const restoreIncident = incident === null ? null : removeIncident(incident);
  offerUndo(dump !== null || incident === null || isCrash(incident) ? 'Crash removed' : 'Restart removed', () => {
    restoreDump?.();
    restoreIncident?.();
  });
}
