/** The page's one line to the host of its visit: its ticks go into the store. */

import { CallClient } from '../../protocol/calls/call-client.ts';
import type { LiveApi, LiveTick } from '../../protocol/live-protocol.ts';
import { toast } from '../../shared/ui/toast.ts';
import { onBenchLost, openToolLine } from '../bench.ts';
import { benchLoss } from '../bench-loss.ts';
import { takeTick } from './live-store.ts';

export type LiveLine = Pick<CallClient<LiveApi, LiveTick>, 'call'>;

let line: LiveLine | null = null;

/** The host; its thread starts with the first call of this. */
export function getLive(): LiveLine {
  if (line === null) {
    const client = new CallClient<LiveApi, LiveTick>(takeTick);
    client.attach(openToolLine('live'));
    onBenchLost(() => client.lose({ pending: () => benchLoss, later: () => benchLoss }));
    line = client;
  }
  return line;
}

/** For tests: another host. */
export function setLive(other: LiveLine | null): void {
  line = other;
}

/** Says what a call was refused with. */
export async function telling(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error), { level: 'error' });
  }
}
