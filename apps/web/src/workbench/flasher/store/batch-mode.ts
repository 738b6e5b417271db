/**
 * Board after board with one image: whatever allowed board is plugged in is connected, planned and written without a press,
 * several at once where several come; who finds no place waits for one. A plan that is refused is not written: the board waits
 * for a person. A board that a guest of the shared bench uses is left to the guest.
 */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { placeOf } from '../../../hardware/permitted-ports.ts';
import { benchStatus } from '../../bench-status.ts';
import type { FlashState } from '../state/flash-state.ts';
import type { FlashSource } from '../usb-source.ts';
import { recordBoards } from './batch-results.ts';
import { isUsedByGuest, watchNewBoards } from './board-ports.ts';
import { connect, write } from './flash-actions.ts';
import { dispatch, flasherStore, flashOf } from './flasher-store.ts';
import { closeMonitor } from './monitor-actions.ts';

let watching = false;
/** Boards that were plugged in while all places were at work, in order. */
const waiting: SerialPort[] = [];

export function setBatchMode(batchMode: boolean): void {
  flasherStore().setState({ batchMode });
  if (!batchMode) {
    waiting.length = 0;
    return;
  }
  // A monitor waits for its board to come back: it would take the next one of that kind.
  for (const port of portNumbers) {
    void closeMonitor(port);
  }
  if (!watching) {
    watching = true;
    watchNewBoards({ appeared: boardAppeared, freed: () => void serve() });
    watchDemos();
    recordBoards();
    flasherStore().subscribe(() => void serve());
    // A guest who gives a board back leaves its place to the next one.
    benchStatus.subscribe(() => void serve());
  }
}

const isServing = () => {
  const { batchMode, chosen } = flasherStore().getState();
  return batchMode && chosen.files.length > 0;
};

function boardAppeared(device: SerialPort): void {
  if (isServing()) {
    waiting.push(device);
    void serve();
  }
}

/** Gives places to those that wait for one. */
async function serve(): Promise<void> {
  const device = freePlace() === null ? undefined : waiting.shift();
  if (device === undefined) {
    return;
  }
  const place = await placeOf(device);
  if (place === undefined) {
    // Unplugged again meanwhile.
    return;
  }
  const port = freePlace();
  if (port === null) {
    waiting.unshift(device);
    return;
  }
  await flashByItself(port, { kind: 'serial', place });
}

/** Demo boards have no entry in the browser's list: their plug is seen on the bench. */
function watchDemos(): void {
  const wasPlugged = new Map<PortNumber, boolean>();
  benchStatus.onTick(({ devices }) => {
    for (const port of portNumbers) {
      const device = devices[port];
      const plugged = device?.kind === 'demo' && device.plugged;
      if (plugged && wasPlugged.get(port) === false && isServing() && !isUsedByGuest(port)) {
        void flashByItself(port, { kind: 'same' });
      }
      wasPlugged.set(port, device?.kind !== 'demo' || plugged);
    }
  });
}

async function flashByItself(port: PortNumber, source: FlashSource): Promise<void> {
  const { selected, flashes } = flasherStore().getState();
  if (['none', 'done', 'running', 'cancelled'].includes(flashes[selected].phase)) {
    // Nobody looks at anything that is still to be seen to.
    flasherStore().setState({ selected: port });
  }
  await connect(port, source);
  clearOlder(port);
  if (flashOf(port).phase === 'planned') {
    await write(port);
  }
}

/** A board that failed at another place, or is done there, and was plugged in again: it is here now. */
function clearOlder(port: PortNumber): void {
  const id = flashOf(port).board?.id ?? null;
  if (id === null) {
    return;
  }
  const { flashes, selected } = flasherStore().getState();
  for (const other of portNumbers) {
    const { phase, board } = flashes[other];
    if (other !== port && board?.id === id && ['done', 'running', 'cancelled', 'failed'].includes(phase)) {
      dispatch(other, { type: 'closed' });
      if (selected === other) {
        flasherStore().setState({ selected: port });
      }
    }
  }
}

const freePlace = () => freePort(flasherStore().getState().flashes, isUsedByGuest);

/** A place for one more board: first one that was never used, then one that is done. Null while all are at work, or a guest's. */
export function freePort(
  flashes: Readonly<Record<PortNumber, Pick<FlashState, 'phase'>>>,
  isUsedByGuest: (port: PortNumber) => boolean,
): PortNumber | null {
  const at = (...phases: readonly FlashState['phase'][]) =>
    portNumbers.find((port) => !isUsedByGuest(port) && phases.includes(flashes[port].phase));
  return at('none') ?? at('done', 'running') ?? at('cancelled', 'failed') ?? null;
}
