/**
 * Begins and ends visits to a flasher's page. A visit acquires the port that the terminal has sent. Its end gives
 * every acquired port. Boards, files and results stay, as the document does.
 */
import { families } from '@wirebench/boards';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import type { FlashLine } from '../../../protocol/flash-protocol.ts';
import { sameShallow } from '../../../shared/same-shallow.ts';
import { getBench } from '../../../workbench/bench.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { showFlasherBoards, takeSentPort } from '../../../workbench/flasher-boards.ts';
import type { PageFamily } from '../page-family.ts';
import { failureFrom } from '../state/failure-from.ts';
import { type FlashState, isBusy, isReady } from '../state/flash-state.ts';
import { setBatchMode } from './batch-mode.ts';
import { watchDisk } from './file-actions.ts';
import { connect } from './flash-actions.ts';
import { type FlasherClient, getFlasher } from './flasher-line.ts';
import {
  dispatch,
  flasherStore,
  flashOf,
  pageFamily,
  setLog,
  shownFamily,
  switchFlasher,
  watchFlashers,
} from './flasher-store.ts';
import {
  type AcquiredPort,
  acquiredPort,
  isTerminals,
  monitored,
  setAcquiredPort,
  watchAcquiredPorts,
} from './port-owners.ts';
import { settled } from './running-work.ts';
import { stopListening } from './start-listener.ts';

/** Pages that are shown: one, or none. React may show a page twice in a row before the first counts as left. */
let visits = 0;
/** True: a visit has begun and not ended. A page that React shows twice in a row is one visit. */
let hasBegun = false;
let published = false;

/**
 * Shows a family's state. Returns false, and changes nothing, while another family works on a board: that board's page
 * has to be shown until it has finished.
 */
export function enterFamily(family: PageFamily): boolean {
  const before = shownFamily();
  if (before?.name === family.name) {
    return true;
  }
  if (before !== null) {
    if (portNumbers.some((port) => isBusy(flashOf(port)))) {
      return false;
    }
    endVisit();
    closeIdleBoards();
  }
  switchFlasher(family);
  watchDisk();
  publish();
  return true;
}

/** Releases the boards of the shown family that wait in their bootloader. */
function closeIdleBoards(): void {
  const host = getFlasher();
  for (const port of portNumbers) {
    stopListening(port);
    // An acquired port is released by the end of the visit.
    const flash = flashOf(port);
    if ((isReady(flash) || flash.holdsPort) && acquiredPort(port) === null) {
      void host.call('close', port).catch(() => undefined);
      dispatch(port, { type: 'closed' });
    }
  }
}

/** Returns true while a flasher's page is shown. */
export const isVisited = (): boolean => visits > 0;

/** Begins a visit to the page. Returns a function that ends it. */
export function visitPage(): () => void {
  visits++;
  const sent = takeSentPort();
  if (sent !== null) {
    flasherStore().setState({ selected: sent });
    void acquirePort(sent);
  } else if (!hasBegun) {
    // A port that was sent a moment ago is acquired only later, and stays selected.
    selectFreePlace();
  }
  hasBegun = true;
  return () => {
    visits--;
    queueMicrotask(() => {
      if (visits === 0) {
        endVisit();
      }
    });
  };
}

/** Acquires a port that the terminal has open. Its log goes on, and says so. */
export async function acquirePort(port: PortNumber): Promise<void> {
  if (!isTerminals(port) || isBusy(flashOf(port))) {
    return;
  }
  flasherStore().setState({ selected: port });
  dispatch(port, { type: 'closed' });
  const { baudRate } = benchStatus.tick.status.ports[port].settings ?? {};
  if (baudRate !== undefined) {
    flasherStore().setState(({ settings }) => ({ settings: { ...settings, monitorBaudRate: baudRate } }));
  }
  await noteIn(port, 'info', `Port ${port} goes to the ${families[pageFamily().name].name} flasher`);
  await connect(port, { kind: 'same' });
}

/** Selects a place that the terminal does not use, unless the selected one has a board here. */
function selectFreePlace(): void {
  const { selected, flashes } = flasherStore().getState();
  if (flashes[selected].phase === 'none' && isTerminals(selected)) {
    const free = portNumbers.find((port) => flashes[port].phase === 'none' && !isTerminals(port));
    flasherStore().setState({ selected: free ?? selected });
  }
}

/** Releases the acquired ports to the terminal. A monitor that is open belongs to the terminal from now on. */
function endVisit(): void {
  hasBegun = false;
  flasherStore().setState({ arrival: null });
  setBatchMode(false);
  for (const port of portNumbers) {
    const acquired = acquiredPort(port);
    if (acquired === null) {
      stopListening(port);
      monitored.delete(port);
    } else {
      void releaseSoon(port, acquired);
    }
  }
}

/** Waits until the flasher has finished with the board. A person who has come back in the meantime keeps it. */
async function releaseSoon(port: PortNumber, acquired: AcquiredPort): Promise<void> {
  if (releasing.has(port)) {
    return;
  }
  const isAtWork = isBusy(flashOf(port));
  if (isAtWork) {
    await noteIn(port, 'info', `The flasher goes on with port ${port}. It opens here when the flasher has finished.`);
    await settled(port);
  }
  if (acquiredPort(port) === acquired && (visits === 0 || !isAtWork) && !releasing.has(port)) {
    await releasePort(port, acquired);
  }
}

/** Ports that are being released. */
const releasing = new Set<PortNumber>();

async function releasePort(port: PortNumber, { settings, signals }: AcquiredPort): Promise<void> {
  // The page of another family may be shown before this ends.
  const [host, { words }] = [getFlasher(), pageFamily()];
  const wasReady = isReady(flashOf(port));
  // Restarted once the port is open, so that the log has the start from its first line.
  const isReset = wasReady && flashOf(port).board?.console?.reset === 'circuit';
  releasing.add(port);
  stopListening(port);
  if (wasReady) {
    dispatch(port, { type: 'closed' });
  }
  try {
    await (wasReady && !isReset ? startProgram(port, host, words.restart) : host.call('close', port));
    const { state, settings: current } = benchStatus.tick.status.ports[port];
    if (state === 'disconnected') {
      await getBench().call('connect', port, { kind: 'same' }, settings);
    } else if (!sameShallow(current ?? {}, settings)) {
      await getBench().call('reopen', port, settings);
    }
    if (isReset) {
      await getBench().call('resetBoard', port, 'run');
    }
    // Opening sets DTR and clears RTS. A reset leaves both off.
    if (isReset || !signals.dtr || signals.rts) {
      await getBench().call('setSignals', port, signals);
    }
  } catch (error) {
    await noteIn(port, 'error', `Port ${port} could not be opened again: ${failureFrom(error).message}`);
  } finally {
    releasing.delete(port);
    monitored.delete(port);
    setAcquiredPort(port, null);
  }
}

/** Ends the bootloader. A board that cannot be restarted from here is released as it is. */
async function startProgram(port: PortNumber, host: FlasherClient, remedy: string): Promise<void> {
  try {
    await host.call('restart', port);
  } catch (error) {
    await noteIn(port, 'warning', `The board could not be restarted: ${failureFrom(error).message} ${remedy}`);
    await host.call('close', port);
  }
}

/** Adds a line to the log of the port. A bench that was lost is reported elsewhere. */
function noteIn(port: PortNumber, level: 'info' | 'success' | 'warning' | 'error', text: string): Promise<void> {
  return getBench()
    .call('notice', level, text, port)
    .catch(() => undefined);
}

/** Publishes the boards for other pages, and the course of a flash in the log of an acquired port. Once for each document. */
function publish(): void {
  if (published) {
    return;
  }
  published = true;
  setLog(noteLines);
  let before = new Map<PortNumber, FlashState>();
  const update = () => {
    const { flashes, family } = flasherStore().getState();
    const { page } = families[family.name];
    const of = (port: PortNumber) => {
      const flash = flashes[port];
      const isHere = isBusy(flash) || isReady(flash) || acquiredPort(port) !== null;
      return isHere && !isOpen(port) ? { page, state: stateText(flash), busy: isBusy(flash) } : null;
    };
    showFlasherBoards({ 1: of(1), 2: of(2), 3: of(3), 4: of(4) });
    for (const port of portNumbers) {
      const last = before.get(port);
      if (acquiredPort(port) !== null && last !== undefined && last.phase !== flashes[port].phase) {
        noteCourse(port, last, flashes[port]);
      }
    }
    before = new Map(portNumbers.map((port) => [port, flashes[port]]));
  };
  watchFlashers(update);
  watchAcquiredPorts(update);
  benchStatus.subscribe(update);
  update();
}

const isOpen = (port: PortNumber) => benchStatus.tick.status.ports[port].state === 'connected';

function noteCourse(port: PortNumber, last: FlashState, flash: FlashState): void {
  const { board } = flash;
  if (last.phase === 'connecting' && board !== null && isReady(flash)) {
    void noteIn(port, 'info', `${board.name} is in its bootloader`);
  } else if (flash.phase === 'writing') {
    void noteIn(port, 'info', `The flasher writes to the board of port ${port}`);
  }
}

/** Adds the flasher's lines to the logs of their ports. Text that the board printed begins with a bar. */
function noteLines(lines: readonly FlashLine[]): void {
  for (const { port, level, text } of lines) {
    void noteIn(port, level === 'board' ? 'info' : level, level === 'board' ? `| ${text}` : text);
  }
}

/** Returns the state of a board that the flasher has, for a line on another page. */
function stateText({ phase, progress, work }: FlashState): string {
  switch (phase) {
    case 'connecting':
      return 'connecting';
    case 'writing':
      return progress !== null && progress.total > 0
        ? `writing ${Math.floor((100 * progress.done) / progress.total)} %`
        : 'writing';
    case 'restarting':
    case 'releasing':
      return 'restarting';
    case 'working':
      return work?.label.toLowerCase() ?? 'busy';
    case 'planning':
      return 'comparing';
    case 'detected':
    case 'planned':
      return 'ready to be written';
    default:
      return 'not connected';
  }
}
