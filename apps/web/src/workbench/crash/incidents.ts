/** Crashes, restarts and core dumps of the log. Fetched from the bench after each change of its revision. */
import { useEffect, useMemo } from 'react';
import type { CodeRange, Incident } from '../../protocol/bench/crash-part.ts';
import { getBench } from '../bench.ts';
import { benchStatus } from '../bench-status.ts';
import { incidentStore, keptOf } from './incident-store.ts';
import { addLogDump, useSymbolFiles } from './symbol-files.ts';

let fetched = 0;
let fetching = false;
let lastDump = 0;
/** Code ranges that the bench last received, as JSON. */
let sentRanges = '[]';

async function fetchNewer(): Promise<void> {
  if (fetching) {
    return;
  }
  fetching = true;
  try {
    while (fetched !== benchStatus.tick.incidentRevision) {
      fetched = benchStatus.tick.incidentRevision;
      incidentStore.setState({ incidents: await getBench().call('incidents') });
      await fetchDumps();
    }
  } finally {
    fetching = false;
  }
}

/** Fetches new dumps. A dump that a page has taken does not return after the user closed it. */
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

/** Returns the incidents of the log that the user has not removed, newest first. */
export function useIncidents(): readonly Incident[] {
  useEffect(() => {
    void fetchNewer();
    return benchStatus.onTick(() => void fetchNewer());
  }, []);
  const incidents = incidentStore.use((all) => all.incidents);
  const removed = incidentStore.use((all) => all.removed);
  return useMemo(() => keptOf(incidents, removed), [incidents, removed]);
}

/** Sends the code ranges of the open ELF files to the bench, so that it finds such addresses in ordinary lines. */
export function useCodeRanges(): void {
  const files = useSymbolFiles();
  const ranges = JSON.stringify(files.flatMap(({ state }) => (state.kind === 'open' ? state.facts.codeRanges : [])));
  useEffect(() => {
    if (ranges !== sentRanges) {
      sentRanges = ranges;
      void getBench().call('setCodeRanges', JSON.parse(ranges) as readonly CodeRange[]);
    }
  }, [ranges]);
}
