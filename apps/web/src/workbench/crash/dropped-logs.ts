/**
 * Crashes and restarts of logs that the user dropped or pasted, such as the log of another program. Kept for the
 * page's lifetime.
 */
import type { Incident } from '../../protocol/bench/crash-part.ts';
import { type DroppedIncident, incidentStore } from './incident-store.ts';

/** Same limit as for the bench's log. */
const maxIncidents = 50;

let last = 0;

/** @param incidents Newest first. Their ids are replaced. */
export function addDroppedLog(incidents: readonly Incident[], name: string): void {
  const added = incidents.toReversed().map((incident) => ({ ...incident, id: --last, name }));
  incidentStore.setState(({ dropped }) => ({ dropped: [...added.reverse(), ...dropped].slice(0, maxIncidents) }));
}

export function removeDroppedIncident(id: number): void {
  incidentStore.setState(({ dropped }) => ({ dropped: dropped.filter((incident) => incident.id !== id) }));
}

/** Returns the incidents of dropped logs, newest first. */
export function useDroppedIncidents(): readonly DroppedIncident[] {
  return incidentStore.use(({ dropped }) => dropped);
}
