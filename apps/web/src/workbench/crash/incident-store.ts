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
  /** Keys of the incidents that the user removed. The bench lists its own ones until its log is cleared. */
  readonly removed: readonly string[];
}

export const incidentStore = pageStore<Incidents>({ incidents: [], dropped: [], removed: [] });

/** A bench that starts over numbers its incidents from 1 again, so the time is part of the key. */
const keyOf = ({ id, at }: Incident) => `${id} ${at}`;

/** Returns the incidents that the user has not removed. */
export const keptOf = <One extends Incident>(all: readonly One[], removed: readonly string[]): readonly One[] =>
  removed.length === 0 ? all : all.filter((incident) => !removed.includes(keyOf(incident)));

/** @returns Undoes it. */
export function removeIncident(incident: Incident): () => void {
  const key = keyOf(incident);
  incidentStore.setState(({ removed }) => ({ removed: [...removed, key] }));
  return () => incidentStore.setState(({ removed }) => ({ removed: removed.filter((other) => other !== key) }));
}
