/** The page's line to the worker side of the lab. Its ticks go into the store. */
import type { CallClient } from '../../../protocol/calls/call-client.ts';
import type { LabApi, LabTick } from '../../../protocol/lab-protocol.ts';
import { benchLoss } from '../../../workbench/bench-loss.ts';
import { toolLine } from '../../../workbench/tool-line.ts';
import { takeCycles } from '../devices/device-store.ts';
import { addSamples } from './adc-samples.ts';
import { changeLab, labNow, showLevels } from './lab-store.ts';

export type LabLine = Pick<CallClient<LabApi, LabTick>, 'call'>;

export const labLine = toolLine<LabApi, LabTick>({
  tool: () => 'lab',
  onTick: takeTick,
  onLost: () => {
    const { phase } = labNow();
    if (phase !== 'idle' && phase !== 'lost') {
      changeLab({
        phase: 'lost',
        failure: { code: null, message: benchLoss.message, remedy: null, detail: null },
      });
    }
  },
});

export const getLab = labLine.get;

export function takeTick({ samples, levels, cycles, ...tick }: LabTick): void {
  showLevels(levels);
  addSamples(samples);
  takeCycles(cycles);
  const { phase } = labNow();
  const lost = tick.lost !== null && (phase === 'open' || phase === 'leaving');
  changeLab({ tick, ...(lost && { phase: 'lost' as const, failure: tick.lost }) });
}
