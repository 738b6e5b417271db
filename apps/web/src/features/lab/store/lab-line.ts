/** The page's connection to the lab's host. Ticks of the host go into the store. */

import { CallClient } from '../../../protocol/calls/call-client.ts';
import type { LabApi, LabTick } from '../../../protocol/lab-protocol.ts';
import { onBenchLost, openToolLine } from '../../../workbench/bench.ts';
import { benchLoss } from '../../../workbench/bench-loss.ts';
import { takeCycles } from '../devices/device-store.ts';
import { addSamples } from './adc-samples.ts';
import { labStore, levelStore } from './lab-store.ts';

export type LabLine = Pick<CallClient<LabApi, LabTick>, 'call'>;

let line: LabLine | null = null;

/** Returns the host. The first call starts its thread. */
export function getLab(): LabLine {
  if (line === null) {
    const client = new CallClient<LabApi, LabTick>(takeTick);
    client.attach(openToolLine('lab'));
    onBenchLost(() => {
      client.lose({ pending: () => benchLoss, later: () => benchLoss });
      const { phase } = labStore.getState();
      if (phase !== 'idle' && phase !== 'lost') {
        labStore.setState({
          phase: 'lost',
          failure: { code: null, message: benchLoss.message, remedy: null, detail: null },
        });
      }
    });
    line = client;
  }
  return line;
}

/** Replaces the host, for tests. */
export function setLab(other: LabLine | null): void {
  line = other;
}

export function takeTick({ samples, levels, cycles, ...tick }: LabTick): void {
  levelStore.setState({ words: levels });
  addSamples(samples);
  takeCycles(cycles);
  const { phase } = labStore.getState();
  const lost = tick.lost !== null && (phase === 'open' || phase === 'leaving');
  labStore.setState({ tick, ...(lost && { phase: 'lost' as const, failure: tick.lost }) });
}
