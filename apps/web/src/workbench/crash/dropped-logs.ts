/**
 * Crashes and restarts of logs that the user dropped or pasted, such as the log of another program. Kept for the
 * page's lifetime.
 */
import { useMemo } from 'react';
import type { LogAnswer } from '../../protocol/symbol-protocol.ts';
import { memoryText } from '../../shared/format/bytes.ts';
import { count } from '../../shared/format/numbers.ts';
import { toast } from '../../shared/ui/toast.ts';
import { type DroppedIncident, incidentStore, keptOf } from './incident-store.ts';

/** Incidents that are kept, as of the bench's log. A message says when older ones go. */
const maxIncidents = 50;

let last = 0;

/**
 * Adds the crashes of a log. Says what is not listed.
 *
 * @param name Name of the log's file.
 */
export function addDroppedLog({ incidents, omitted, searched }: LogAnswer, name: string): void {
  const added = incidents.toReversed().map((incident) => ({ ...incident, id: --last, name }));
  const all = [...added.reverse(), ...incidentStore.getState().dropped];
  incidentStore.setState({ dropped: all.slice(0, maxIncidents) });
  if (omitted > 0 || all.length > maxIncidents) {
    toast(`The newest ${maxIncidents} crashes and restarts of dropped logs are listed.`, {
      level: 'warning',
      detail: `${count(omitted + Math.max(0, all.length - maxIncidents))} older ones are left out.`,
    });
  }
  if (searched !== null) {
    toast(`Crashes were looked for in the last ${memoryText(searched)} of ${name}.`, {
      level: 'warning',
      detail: 'Open it as a log to see the crashes of all of it.',
    });
  }
}

/** Returns the incidents of dropped logs that the user has not removed, newest first. */
export function useDroppedIncidents(): readonly DroppedIncident[] {
  const dropped = incidentStore.use((all) => all.dropped);
  const removed = incidentStore.use((all) => all.removed);
  return useMemo(() => keptOf(dropped, removed), [dropped, removed]);
}
