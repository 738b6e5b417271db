/** This tab among the other tabs of Wirebench: says which boards it holds, and releases one that another tab asks for. */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { type HeldPort, type PortRequestAnswer, tabPortsOfPage } from '../../../hardware/tab-ports.ts';
import { benchStatus } from '../../bench-status.ts';
import { isBusy, isReady } from '../state/flash-state.ts';
import { disconnect } from './flash-actions.ts';
import { flashOf, say } from './flasher-store.ts';

/** This tab's part, taken from the first call on. */
export const getTabPorts = tabPortsOfPage({ held: heldPorts, asked });

/** The boards that this tab keeps others from opening. Simulated ones are nobody else's. */
export function heldPorts(): HeldPort[] {
  return portNumbers.flatMap((port) => {
    const info = infoOf(port);
    return info !== null && isHeld(port) ? [{ port, name: 'a board in the flasher', info }] : [];
  });
}

/** Known from the moment on at which the board was picked: also one that does not answer yet is held. */
function infoOf(port: PortNumber): SerialPortInfo | null {
  const { board, source } = flashOf(port);
  if (board === null) {
    return source?.kind === 'serial' ? source.place.info : null;
  }
  return board.demo ? null : board.port;
}

function isHeld(port: PortNumber): boolean {
  const flash = flashOf(port);
  const isOpen = benchStatus.tick.status.ports[port].state === 'connected';
  return isBusy(flash) || isReady(flash) || isOpen || isUsedByGuest(port);
}

const isUsedByGuest = (port: PortNumber) => benchStatus.tick.users[port] !== null;

/** A board that is being written is not given away, nor one that a guest of the shared bench uses. */
export async function asked(number: number): Promise<PortRequestAnswer> {
  const port = portNumbers.find((known) => known === number && isHeld(known));
  if (port === undefined) {
    return 'released';
  }
  if (isBusy(flashOf(port)) || isUsedByGuest(port)) {
    return 'kept';
  }
  say(port, 'info', 'The board was released: another Wirebench tab asked for it');
  await disconnect(port);
  return 'released';
}
