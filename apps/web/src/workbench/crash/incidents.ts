/** The crashes and restarts of the log, and its core dumps, fetched from the bench when there are others. */
import { useEffect, useSyncExternalStore } from 'react';
import { createStore } from 'zustand/vanilla';
import type { CodeRange, Incident } from '../../protocol/incident.ts';
import { getBench } from '../bench.ts';
import { benchStatus } from '../bench-status.ts';
import { addLogDump, useSymbolFiles } from './symbol-files.ts';

const store = createStore<{ readonly incidents: readonly Incident[] }>(() => ({ incidents: [] }));

let fetched = 0;
let fetching = false;
let lastDump = 0;
/** Code ranges that the bench knows, as JSON. */
let told = '[]';

async function fetchNewer(): Promise<void> {
  if (fetching) {
    return;
  }
  fetching = true;
  try {
    while (fetched !== benchStatus.tick.incidentRevision) {
      fetched = benchStatus.tick.incidentRevision;
      store.setState({ incidents: await getBench().call('incidents') });
      await fetchDumps();
    }
  } finally {
    fetching = false;
  }
}

/** A dump that a page has taken does not return after it was closed. */
async function fetchDumps(): Promise<void> {
  for (const { id, port, at } of await getBench().call('logDumps')) {
    if (id > lastDump) {
      lastDump = id;
      const text = await getBench().call('logDumpText', id);
      if (text !== null) {
        addLogDump(text, { port, at });
      }
    }
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

/** Tells the bench where the open ELF files have code, so that ordinary lines with such addresses are found. */
export function useCodeRanges(): void {
  const files = useSymbolFiles();
  const asked = JSON.stringify(files.flatMap(({ state }) => (state.kind === 'open' ? state.facts.codeRanges : [])));
  useEffect(() => {
    if (asked !== told) {
      told = asked;
      void getBench().call('setCodeRanges', JSON.parse(asked) as readonly CodeRange[]);
    }
  }, [asked]);
}
