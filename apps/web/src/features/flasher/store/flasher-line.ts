/** The page's connection to the flasher's host. Ticks of the host go into the store. */

import { CallClient } from '../../../protocol/calls/call-client.ts';
import type { CallFailure } from '../../../protocol/calls/call-protocol.ts';
import type { FlasherApi, FlasherTick, FlashFailureDetail } from '../../../protocol/flash-protocol.ts';
import { onBenchLost, openToolLine } from '../../../workbench/bench.ts';
import { benchLoss } from '../../../workbench/bench-loss.ts';
import type { AnyFamily } from '../../../workbench/families.ts';
import { commonFailure } from '../state/failure-from.ts';
import { addLines, dispatch, pageFamily } from './flasher-store.ts';
import { withoutPlug } from './shared-board.ts';

let client: CallClient<FlasherApi<AnyFamily>, FlasherTick> | null = null;

/** Returns the host. The first call starts its thread. */
export function getFlasher(): CallClient<FlasherApi<AnyFamily>, FlasherTick> {
  if (client === null) {
    client = new CallClient(takeTick);
    client.attach(openToolLine(pageFamily().name));
    onBenchLost(() => client?.lose({ pending: lossOf, later: () => benchLoss }));
  }
  return client;
}

/**
 * Returns the failure for a call that was pending when the bench was lost. A call that changes flash may have stopped
 * at any point, so its board counts as incomplete.
 */
function lossOf(call: keyof FlasherApi<AnyFamily>): CallFailure {
  const changes = call === 'write' || call === 'erase' || call === 'perform';
  return changes
    ? { ...benchLoss, detail: { detail: null, state: 'incomplete' } satisfies FlashFailureDetail }
    : benchLoss;
}

function takeTick({ events, lines }: FlasherTick): void {
  addLines(lines);
  for (const { port, event } of events) {
    switch (event.type) {
      case 'step':
        dispatch(port, { type: 'step', step: event.step });
        break;
      case 'stage':
        dispatch(port, { type: 'stage', stage: event.stage });
        break;
      case 'write':
        dispatch(port, { type: 'write-event', event: event.event });
        break;
      case 'work':
        dispatch(port, { type: 'work-progress', done: event.done, total: event.total });
        break;
      case 'gone':
        dispatch(port, { type: 'gone', failure: withoutPlug(port, commonFailure('unplugged')) });
        break;
    }
  }
}
