/**
 * Answers the other tabs of Wirebench: reports the boards that this tab holds, and releases one that another tab asks
 * for.
 */
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { type HeldPort, type PortRequestAnswer, tabPortsOfPage } from '../../../hardware/tab-ports.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { isBusy, isReady } from '../state/flash-state.ts';
import { disconnect } from './flash-actions.ts';
import { flashOf, say } from './flasher-store.ts';
import { isTerminals } from './port-owners.ts';

/** Registers this tab with the others on the first call. */
export const getTabPorts = tabPortsOfPage({ held: heldPorts, asked });

/**
 * Returns the boards that this tab keeps others from opening. Simulated boards are not included: other tabs have
 * their own.
 */
export function heldPorts(): HeldPort[] {
  return portNumbers.flatMap((port) => {
    const info = infoOf(port);
    return info !== null && isHeld(port) ? [{ port, name: 'a board in the flasher', info }] : [];
  });
}

/**
 * Returns the USB ids of the board's port; null for a demo board. They are known once the port is picked, so a board
 * that does not answer yet is held as well.
 */
function infoOf(port: PortNumber): SerialPortInfo | null {
  const { board, source } = flashOf(port);
  if (board === null) {
    return source?.kind === 'serial' ? source.place.info : null;
  }
  return board.demo ? null : board.port;
}

function isHeld(port: PortNumber): boolean {
  if (isTerminals(port)) {
    return false;
  }
  const flash = flashOf(port);
  const isOpen = benchStatus.tick.status.ports[port].state === 'connected';
  return isBusy(flash) || isReady(flash) || isOpen || isUsedByGuest(port);
}

const isUsedByGuest = (port: PortNumber) => benchStatus.tick.users[port] !== null;

/**
 * Handles another tab's request for a port. Keeps a board that is being worked on, and one that a guest of the shared
 * bench uses.
 */
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
