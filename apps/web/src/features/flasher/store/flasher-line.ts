/** The page's line to the worker side of the flasher. Its ticks go into the store. */
import type { CallFailure } from '../../../protocol/calls/call-protocol.ts';
import type { FlasherApi, FlasherTick, FlashFailureDetail } from '../../../protocol/flash-protocol.ts';
import { benchLoss } from '../../../workbench/bench-loss.ts';
import type { AnyFamily } from '../../../workbench/families.ts';
import { toolLine } from '../../../workbench/tool-line.ts';
import { commonFailure } from '../state/failure-from.ts';
import { addLines, dispatch, pageFamily } from './flasher-store.ts';
import { withoutPlug } from './shared-board.ts';

const flasherLine = toolLine<FlasherApi<AnyFamily>, FlasherTick>({
  tool: () => pageFamily().name,
  onTick: takeTick,
  lossOf,
});

export const getFlasher = flasherLine.get;

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
