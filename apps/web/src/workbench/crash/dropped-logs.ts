/**
 * Crashes and restarts of logs that the user dropped or pasted, such as the log of another program. Kept for the
 * page's lifetime.
 */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Incident } from '../../protocol/incident.ts';

export interface DroppedIncident extends Incident {
  /** Name of the file, or a substitute for pasted text. */
  readonly name: string;
}

/** Same limit as for the bench's log. */
const maxIncidents = 50;

const store = createStore<{ readonly incidents: readonly DroppedIncident[] }>(() => ({ incidents: [] }));

let last = 0;

/** @param incidents Newest first. Their ids are replaced. */
export function addDroppedLog(incidents: readonly Incident[], name: string): void {
  const added = incidents.toReversed().map((incident) => ({ ...incident, id: --last, name }));
  store.setState((before) => ({ incidents: [...added.reverse(), ...before.incidents].slice(0, maxIncidents) }));
}

export function removeDroppedIncident(id: number): void {
  store.setState(({ incidents }) => ({ incidents: incidents.filter((incident) => incident.id !== id) }));
}

/** Returns the incidents of dropped logs, newest first. */
export function useDroppedIncidents(): readonly DroppedIncident[] {
  return useStore(store, ({ incidents }) => incidents);
}
