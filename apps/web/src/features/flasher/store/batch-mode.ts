/**
 * Batch mode: writes one image to every allowed board that is plugged in, up to four boards at once. A board without
 * a free place waits for one. A board whose plan is refused is not written and waits for the user. A board that a
 * guest of the shared bench uses is left to the guest.
 */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { placeOf } from '../../../hardware/permitted-ports.ts';
import { watchUsb } from '../../../hardware/web-usb.ts';
import type { FlashSource } from '../../../protocol/usb-source.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { isInSeries } from '../../../workbench/improv/series.ts';
import type { FlashState } from '../state/flash-state.ts';
import { recordBoards } from './batch-results.ts';
import { hasImage } from './board-builds.ts';
import { isUsedByGuest, watchNewBoards } from './board-ports.ts';
import { connect, writeByItself } from './flash-actions.ts';
import { getFlasher } from './flasher-line.ts';
import { dispatch, flasherStore, flashOf, pageFamily, watchFlashers } from './flasher-store.ts';
import { closeMonitor } from './monitor-actions.ts';
import { isTerminals } from './port-owners.ts';

let watching = false;
/** Boards that were plugged in while all places were busy, oldest first. */
const waiting: (() => Promise<FlashSource | undefined>)[] = [];

/** USB devices that were plugged in while boards were connected. One may be a board that has left its port. */
interface Undecided {
  readonly find: () => Promise<FlashSource | undefined>;
  readonly connecting: readonly PortNumber[];
}
let undecided: readonly Undecided[] = [];

export function setBatchMode(batchMode: boolean): void {
  flasherStore().setState({ batchMode });
  if (!batchMode) {
    waiting.length = 0;
    undecided = [];
    return;
  }
  // An open monitor waits for its board to come back, and would take the next board of that kind.
  for (const port of portNumbers.filter((number) => !isTerminals(number))) {
    void closeMonitor(port);
  }
  recordBoards();
  if (!watching) {
    watching = true;
    watchNewBoards({ appeared: boardAppeared, freed: () => void serve() });
    watchDemos();
    watchBootloaders();
    watchFlashers(() => {
      decide();
      void serve();
    });
    // A guest who gives a board back frees a place.
    benchStatus.subscribe(() => void serve());
  }
}

const isServing = () => {
  const state = flasherStore().getState();
  return state.batchMode && hasImage(state);
};

function boardAppeared(device: SerialPort): void {
  if (isServing()) {
    waiting.push(async () => {
      const place = await placeOf(device);
      return place && { kind: 'serial', place };
    });
    void serve();
  }
}

/**
 * Watches for boards that are plugged in while their bootloader is a USB device. One that appears while a bootloader works may be
 * that board. One that appears while a board is connected waits until it is known which device that board is.
 */
function watchBootloaders(): void {
  watchUsb(pageFamily().usbDevices ?? [], (findPlace) => {
    const { flashes } = flasherStore().getState();
    const isAt = (phase: FlashState['phase']) => portNumbers.filter((port) => flashes[port].phase === phase);
    if (!isServing() || isAt('working').length > 0) {
      return;
    }
    const find = async (): Promise<FlashSource | undefined> => {
      const place = await findPlace();
      return place && (await getFlasher().call('isUsbFree', place)) ? { kind: 'usb', place } : undefined;
    };
    undecided = [...undecided, { find, connecting: isAt('connecting') }];
    decide();
    void serve();
  });
}

/**
 * Queues devices once the boards that were being connected are. A device is forgotten if such a connect fails or is cancelled: the
 * board may be this device, and a person decides about it.
 */
function decide(): void {
  const { flashes } = flasherStore().getState();
  const phases = ({ connecting }: Undecided) => connecting.map((port) => flashes[port].phase);
  const decided = undecided.filter((one) => !phases(one).includes('connecting'));
  undecided = undecided.filter((one) => !decided.includes(one));
  const isReached = (phase: FlashState['phase']) => !['none', 'failed', 'cancelled'].includes(phase);
  waiting.push(...decided.filter((one) => isServing() && phases(one).every(isReached)).map(({ find }) => find));
}

/** Flashes the board that has waited longest, if a place is free. */
async function serve(): Promise<void> {
  const find = freePlace() === null ? undefined : waiting.shift();
  if (find === undefined) {
    return;
  }
  const source = await find();
  if (source === undefined) {
    // The board was unplugged while it waited, or a port has become it.
    return serve();
  }
  const port = freePlace();
  if (port === null) {
    waiting.unshift(find);
    return;
  }
  await flashByItself(port, source);
}

/**
 * Watches for demo boards that are plugged in. The browser's list does not contain them, so the bench's ticks are
 * used.
 */
function watchDemos(): void {
  const wasPlugged = new Map<PortNumber, boolean>();
  benchStatus.onTick(({ devices }) => {
    for (const port of portNumbers) {
      const device = devices[port];
      const plugged = device?.kind === 'demo' && device.plugged;
      if (plugged && wasPlugged.get(port) === false && isServing() && !isTaken(port)) {
        void flashByItself(port, { kind: 'same' });
      }
      wasPlugged.set(port, device?.kind !== 'demo' || plugged);
    }
  });
}

async function flashByItself(port: PortNumber, source: FlashSource): Promise<void> {
  const { selected, flashes } = flasherStore().getState();
  if (['none', 'done', 'running', 'cancelled'].includes(flashes[selected].phase)) {
    // The selected board needs no attention, so the view follows the new board.
    flasherStore().setState({ selected: port });
  }
  await connect(port, source);
  clearOlder(port);
  if (flashOf(port).phase === 'planned') {
    await writeByItself(port);
  }
}

/** Clears the older entry of a board that has finished or failed at another place and was plugged in again here. */
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

/** True: a guest of the shared bench or the terminal has the port, or its board is put on a network. */
const isTaken = (port: PortNumber) => isUsedByGuest(port) || isTerminals(port) || isInSeries(port);

const freePlace = () => freePort(flasherStore().getState().flashes, isTaken);

/**
 * Returns a place for one more board. Unused places come first, then finished boards, then failed or cancelled ones.
 * Null: all places are busy or taken.
 */
export function freePort(
  flashes: Readonly<Record<PortNumber, Pick<FlashState, 'phase'>>>,
  isTaken: (port: PortNumber) => boolean,
): PortNumber | null {
  const at = (...phases: readonly FlashState['phase'][]) =>
    portNumbers.find((port) => !isTaken(port) && phases.includes(flashes[port].phase));
  return at('none') ?? at('done', 'running') ?? at('cancelled', 'failed') ?? null;
}
