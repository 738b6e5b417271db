/** Crashes and restarts of logs that a person dropped or pasted: the log of another program, or a copy of one. For as long as the page lives. */
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Incident } from '../../protocol/incident.ts';

export interface DroppedIncident extends Incident {
  /** Name of the file, or a replacement for it. */
  readonly name: string;
}

/** Same number as for the log. */
const maxIncidents = 50;

const store = createStore<{ readonly incidents: readonly DroppedIncident[] }>(() => ({ incidents: [] }));

let last = 0;

/** @param incidents the newest first; their ids are replaced. */
export function addDroppedLog(incidents: readonly Incident[], name: string): void {
  const added = incidents.toReversed().map((incident) => ({ ...incident, id: --last, name }));
  store.setState((before) => ({ incidents: [...added.reverse(), ...before.incidents].slice(0, maxIncidents) }));
}

export function removeDroppedIncident(id: number): void {
  store.setState(({ incidents }) => ({ incidents: incidents.filter((incident) => incident.id !== id) }));
}

/** The newest first. */
export function useDroppedIncidents(): readonly DroppedIncident[] {
  return useStore(store, ({ incidents }) => incidents);
}
