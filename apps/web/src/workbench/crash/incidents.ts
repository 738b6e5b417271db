/** The crashes and restarts of the log, fetched from the bench when there are others. */
import { useEffect, useSyncExternalStore } from 'react';
import { createStore } from 'zustand/vanilla';
import { getBench } from '../bench.ts';
import { benchStatus } from '../bench-status.ts';
import type { Incident } from './incident.ts';

const store = createStore<{ readonly incidents: readonly Incident[] }>(() => ({ incidents: [] }));

let fetched = 0;
let fetching = false;

async function fetchNewer(): Promise<void> {
  if (fetching) {
    return;
  }
  fetching = true;
  try {
    while (fetched !== benchStatus.tick.incidentRevision) {
      fetched = benchStatus.tick.incidentRevision;
      store.setState({ incidents: await getBench().call('incidents') });
    }
  } finally {
    fetching = false;
  }
}

/** The newest first. */
export function useIncidents(): readonly Incident[] {
  useEffect(() => {
    void fetchNewer();
    return benchStatus.onTick(() => void fetchNewer());
  }, []);
  return useSyncExternalStore(store.subscribe, () => store.getState().incidents);
}
