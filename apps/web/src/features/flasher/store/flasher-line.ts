/** The page's connections to the hosts of the flashers. Ticks of the host go into the store. */

import type { FlasherFamily } from '@wirebench/contract/constants';
import { CallClient } from '../../../protocol/calls/call-client.ts';
import type { CallFailure } from '../../../protocol/calls/call-protocol.ts';
import type { FlasherApi, FlasherTick, FlashFailureDetail } from '../../../protocol/flash-protocol.ts';
import { onBenchLost, openToolLine } from '../../../workbench/bench.ts';
import { benchLoss } from '../../../workbench/bench-loss.ts';
import type { AnyFamily } from '../../../workbench/families.ts';
import { commonFailure } from '../state/failure-from.ts';
import { addLines, dispatch, pageFamily } from './flasher-store.ts';
import { withoutPlug } from './shared-board.ts';

export type FlasherClient = CallClient<FlasherApi<AnyFamily>, FlasherTick>;

/** Hosts that were started, one for each family. */
const clients = new Map<FlasherFamily, FlasherClient>();

/** Returns the host of the shown family. The first call starts it. */
export function getFlasher(): FlasherClient {
  const { name } = pageFamily();
  const started = clients.get(name);
  if (started !== undefined) {
    return started;
  }
  const client: FlasherClient = new CallClient((tick) => {
    // A family that is not shown has no work, and only closes its boards.
    if (pageFamily().name === name) {
      takeTick(tick);
    }
  });
  clients.set(name, client);
  client.attach(openToolLine(name));
  onBenchLost(() => client.lose({ pending: lossOf, later: () => benchLoss }));
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
