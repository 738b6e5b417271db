/**
 * Which of the browser's ports stands behind each board of this page, and whether one that appears is a board that has just
 * restarted on its own USB: the browser makes a new object of it, and tells no serial number. Knows nothing of batch mode.
 */
import { systemClock } from '@wirebench/clock';
import { type PortNumber, portNumbers, reconnectPeriod } from '@wirebench/serial';
import { type PortPlace, permittedPorts, placeOf, portOfPlace, watchPorts } from '../../../hardware/permitted-ports.ts';
import type { BenchTick } from '../../bench-protocol.ts';
import { benchStatus } from '../../bench-status.ts';
import { sharedBenches } from '../../sharing/sharing-store.ts';
import type { FlashSource } from '../usb-source.ts';
import { type FlasherState, flasherStore } from './flasher-store.ts';

const behind = new Map<PortNumber, SerialPort>();
/** Ports that were there before, or came as a board of their own: none of them is a board that is back. */
const others = new WeakSet<SerialPort>();
/** Boards whose restart is over, and whose port is being looked for. */
const settling = new Set<PortNumber>();

/**
 * Boards that a guest of the shared bench uses, or used when they vanished: a guest's tool that restarts its board waits for it. What ends
 * the wait for one that vanished; null while it is there.
 */
const usedByGuest = new Map<PortNumber, (() => void) | null>();

/** Known from `watchNewBoards` on. */
export const isUsedByGuest = (port: PortNumber) => sharedBenches.count() > 0 && usedByGuest.has(port);

/** The board at `port` is reached through `source` from now on. */
export function noteBoard(port: PortNumber, source: FlashSource): void {
  const device = source.kind === 'serial' ? portOfPlace(source.place) : undefined;
  leaveToAll(port);
  if (device !== undefined) {
    behind.set(port, device);
  } else if (source.kind !== 'same') {
    behind.delete(port);
  }
}

/** Where the board's port stands in the browser's list now; undefined when it is not plugged in. */
export async function placeNow(port: PortNumber): Promise<PortPlace | undefined> {
  const device = behind.get(port);
  return device && (await placeOf(device));
}

interface BoardWatch {
  /** An allowed board is plugged in, which is none of this page that is back. */
  readonly appeared: (device: SerialPort) => void;
  /** A guest's board has not come back: its place is free. */
  readonly freed: () => void;
}

export function watchNewBoards({ appeared, freed }: BoardWatch): void {
  void permittedPorts().then((ports) => ports.map((device) => others.add(device)));
  watchPorts((device) => void tellNew(device, appeared));
  const follow = (tick: BenchTick) => followGuests(tick, freed);
  follow(benchStatus.tick);
  benchStatus.onTick(follow);
}

function followGuests({ users, devices }: BenchTick, freed: () => void): void {
  for (const port of portNumbers) {
    if (users[port] !== null) {
      leaveToAll(port);
      usedByGuest.set(port, null);
    } else if (devices[port]?.plugged !== false) {
      leaveToAll(port);
    } else if (usedByGuest.get(port) === null) {
      // The bench waits as long for the board, to connect it again.
      const giveUp = () => {
        usedByGuest.delete(port);
        freed();
      };
      usedByGuest.set(port, systemClock.schedule(reconnectPeriod, giveUp));
    }
  }
}

/** No guest uses the board at `port`, and none is waited for. */
function leaveToAll(port: PortNumber): void {
  usedByGuest.get(port)?.();
  usedByGuest.delete(port);
}

async function tellNew(device: SerialPort, appeared: (device: SerialPort) => void): Promise<void> {
  // Chromium 150 makes two objects of a board that is plugged in, and tells of both: only one of them is in its list.
  const stands = (await permittedPorts()).includes(device);
  if (stands && !takeReturn(device, flasherStore().getState().flashes)) {
    others.add(device);
    appeared(device);
  }
}

/**
 * True when `device` is a board of this page that vanished at a restart and is back. A port that vanished while its board was
 * being connected or restarted comes back by itself; program and bootloader may be two products.
 */
function takeReturn(device: SerialPort, flashes: FlasherState['flashes']): boolean {
  const port = portNumbers.find((number) => {
    const { phase } = flashes[number];
    const restarts = phase === 'connecting' || phase === 'restarting' || phase === 'releasing' || settling.has(number);
    return (restarts || isUsedByGuest(number)) && isGone(number) && isOneMaker(number, device);
  });
  if (port !== undefined) {
    behind.set(port, device);
  }
  return [...behind.values()].includes(device);
}

/** The restart of this board is over. If it has taken the port away, the one that is there instead is no other board. */
export async function noteReturn(port: PortNumber): Promise<void> {
  if (!isGone(port)) {
    return;
  }
  settling.add(port);
  const ports = await permittedPorts();
  settling.delete(port);
  const known = [...behind.values()];
  const back = ports.find((device) => !known.includes(device) && !others.has(device) && isOneMaker(port, device));
  if (back !== undefined && isGone(port)) {
    behind.set(port, back);
  }
}

const isGone = (port: PortNumber) => behind.get(port)?.connected === false;

function isOneMaker(port: PortNumber, device: SerialPort): boolean {
  const maker = behind.get(port)?.getInfo().usbVendorId;
  return maker !== undefined && maker === device.getInfo().usbVendorId;
}
