/**
 * Maps each board of this page to the browser's port, and recognises a board that has just restarted on its own USB.
 * The browser makes a new object of such a port, and reports no serial number.
 */
import { systemClock } from '@wirebench/clock';
import { type PortNumber, portNumbers, reconnectPeriod } from '@wirebench/serial';
import { type PortPlace, permittedPorts, placeOf, portOfPlace, watchPorts } from '../../../hardware/permitted-ports.ts';
import type { BenchTick } from '../../../protocol/bench/bench-tick.ts';
import type { FlashSource } from '../../../protocol/usb-source.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { sharedBenches } from '../../../workbench/sharing/sharing-store.ts';
import { type FlasherState, flasherStore, pageFamily } from './flasher-store.ts';

const behind = new Map<PortNumber, SerialPort>();
/** Ports that existed before, or came as a board of their own. None of these is a board that has come back. */
const others = new WeakSet<SerialPort>();
/** Boards that have finished their restart and whose new port is being searched. */
const settling = new Set<PortNumber>();

/**
 * Boards that a guest of the shared bench uses, or used when they vanished: a guest's tool that restarts its board
 * waits for it. The value ends the wait for a board that vanished; null while the board is connected.
 */
const usedByGuest = new Map<PortNumber, (() => void) | null>();

/** Returns true if a guest of the shared bench has the board. Works only after `watchNewBoards` was called. */
export const isUsedByGuest = (port: PortNumber) => sharedBenches.count() > 0 && usedByGuest.has(port);

/** Records that the board at `port` is reached through `source` from now on. */
export function noteBoard(port: PortNumber, source: FlashSource): void {
  const device = source.kind === 'serial' ? portOfPlace(source.place) : undefined;
  leaveToAll(port);
  if (device !== undefined) {
    behind.set(port, device);
  } else if (source.kind !== 'same' && source.kind !== 'drive') {
    behind.delete(port);
  }
}

/** Returns the current place of the board's port in the browser's list; undefined if the board is not plugged in. */
export async function placeNow(port: PortNumber): Promise<PortPlace | undefined> {
  const device = behind.get(port);
  return device && (await placeOf(device));
}

interface BoardWatch {
  /** Called when an allowed board is plugged in, unless a board of this page has come back. */
  readonly appeared: (device: SerialPort) => void;
  /** Called when a guest's board has not come back, so that its place is free. */
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
      // The bench waits equally long to reconnect the board.
      const giveUp = () => {
        usedByGuest.delete(port);
        freed();
      };
      usedByGuest.set(port, systemClock.schedule(reconnectPeriod, giveUp));
    }
  }
}

/** Ends the guest's use of the board at `port`, and the wait for a board that vanished. */
function leaveToAll(port: PortNumber): void {
  usedByGuest.get(port)?.();
  usedByGuest.delete(port);
}

async function tellNew(device: SerialPort, appeared: (device: SerialPort) => void): Promise<void> {
  // Chromium 150 makes two objects of a board that is plugged in, and reports both. Only one of them is in its list.
  const stands = (await permittedPorts()).includes(device);
  if (stands && !takeReturn(device, flasherStore().getState().flashes)) {
    others.add(device);
    appeared(device);
  }
}

/**
 * Returns true if `device` is a board of this page that vanished at a restart and is back, or that was a USB device before. A port that vanished while
 * its board was being connected or restarted comes back by itself. Program and bootloader may be two products, so
 * only the vendor is compared.
 */
function takeReturn(device: SerialPort, flashes: FlasherState['flashes']): boolean {
  const port = portNumbers.find((number) => {
    const { phase, usb } = flashes[number];
    const restarts = phase === 'connecting' || phase === 'restarting' || phase === 'releasing' || settling.has(number);
    const isBack = isGone(number) ? isOneMaker(number, device) : usb && isOfFamily(device) && !behind.has(number);
    return (restarts || isUsedByGuest(number)) && isBack;
  });
  if (port !== undefined) {
    behind.set(port, device);
  }
  return [...behind.values()].includes(device);
}

/** Finds the new port of a board whose restart is over, if the restart has removed the old port. */
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

/** Returns true for a port of the maker whose chips this page flashes. */
const isOfFamily = (device: SerialPort) => {
  const { usbVendorId } = device.getInfo();
  return pageFamily().usbDevices?.some((filter) => 'vendorId' in filter && filter.vendorId === usbVendorId) === true;
};

const isGone = (port: PortNumber) => behind.get(port)?.connected === false;

function isOneMaker(port: PortNumber, device: SerialPort): boolean {
  const maker = behind.get(port)?.getInfo().usbVendorId;
  return maker !== undefined && maker === device.getInfo().usbVendorId;
}
