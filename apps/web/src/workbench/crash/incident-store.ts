/** Crashes and restarts that the page knows. */
import type { Incident } from '../../protocol/bench/crash-part.ts';
import { pageStore } from '../../shared/page-store.ts';

export interface DroppedIncident extends Incident {
  /** Name of the file, or a substitute for pasted text. */
  readonly name: string;
}

interface Incidents {
  /** Incidents of the bench's log, newest first. */
  readonly incidents: readonly Incident[];
  /** Incidents of logs that the user dropped or pasted, newest first. */
  readonly dropped: readonly DroppedIncident[];
}

export const incidentStore = pageStore<Incidents>({ incidents: [], dropped: [] });
