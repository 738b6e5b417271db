/** The page's lines to the worker side of the flashers. Their ticks go into the store. */
import type { FamilyId } from '@wirebench/boards';
import type { CallFailure } from '../../../protocol/calls/call-protocol.ts';
import type { FlasherApi, FlasherTick, FlashFailureDetail } from '../../../protocol/flash-protocol.ts';
import { benchLoss } from '../../../workbench/bench-loss.ts';
import type { AnyFamily, ConnectedBoard } from '../../../workbench/families.ts';
import { keepAwake } from '../../../workbench/keep-awake.ts';
import { type ToolLine, toolLine } from '../../../workbench/tool-line.ts';
import { commonFailure } from '../state/failure-from.ts';
import { noteFacts } from './board-contents.ts';
import { addLines, dispatch, pageFamily } from './flasher-store.ts';
import { withoutPlug } from './shared-board.ts';

type FlasherLine = ToolLine<FlasherApi<AnyFamily>, FlasherTick>;

/** Calls the worker side of a family. */
export type FlasherClient = ReturnType<FlasherLine['get']>;

/** Lines that were opened, one for each family. */
const lines = new Map<FamilyId, FlasherLine>();

/** Returns the worker side of the shown family. The first call starts it. The screen stays on while flash changes. */
export function getFlasher(): FlasherClient {
  const line = lineOf(pageFamily().name).get();
  return {
    call: (name, ...args) =>
      changesFlash(name) ? keepAwake(() => line.call(name, ...args)) : line.call(name, ...args),
  };
}

/** Puts another worker side in the place of a family's. Null: the next call starts it. Only tests call it. */
export function replaceFlasher(family: FamilyId, client: FlasherClient | null): void {
  lineOf(family).replace(client);
}

function lineOf(name: FamilyId): FlasherLine {
  const known = lines.get(name);
  if (known !== undefined) {
    return known;
  }
  const line: FlasherLine = toolLine({
    tool: () => name,
    onTick: (tick: FlasherTick) => {
      // A family that is not shown has no work, and only closes its boards.
      if (pageFamily().name === name) {
        takeTick(tick);
      }
    },
    lossOf,
  });
  lines.set(name, line);
  return line;
}

const changesFlash = (call: keyof FlasherApi<AnyFamily>) => call === 'write' || call === 'erase' || call === 'perform';

/**
 * Returns the failure for a call that was pending when the bench was lost. A call that changes flash may have stopped
 * at any point, so its board counts as incomplete.
 */
function lossOf(call: keyof FlasherApi<AnyFamily>): CallFailure {
  return changesFlash(call)
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
        dispatch(port, { type: 'work-progress', done: event.done, total: event.total, at: performance.now() });
        break;
      case 'looked':
        dispatch(port, { type: 'looked', board: event.board as ConnectedBoard });
        noteFacts(port);
        break;
      case 'gone':
        dispatch(port, { type: 'gone', failure: withoutPlug(port, commonFailure('unplugged')) });
        break;
    }
  }
}
