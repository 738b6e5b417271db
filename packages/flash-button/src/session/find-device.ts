/** Finds the board of a chosen device again: after a restart, or after it was unplugged. */
import { systemClock } from '@wirebench/clock';
import type { ReturnedPort } from '@wirebench/flasher/family';
import { pluggedAgain, returnedPort } from '@wirebench/port';
import type { BoardList } from '@wirebench/port/missing-board';
import { usesUsbPorts } from '@wirebench/port/port-interfaces';
import { type Choice, chooseSerial, chooseUsb } from './devices.ts';
import type { Device } from './flash-job.ts';

/** Resolves with the port as which the board of a device comes back, and remembers it. */
async function returnedPortOf(device: Device, signal: AbortSignal): Promise<SerialPort> {
  const { source, serial, others } = device;
  if (source.kind !== 'serial' || serial === null) {
    throw new DOMException('This device has no port.', 'NotFoundError');
  }
  const port = await returnedPort(serial, source.port, others, signal);
  device.source = { kind: 'serial', port };
  return port;
}

/** Longest wait in milliseconds for a person who has to choose a board again. */
const PERSON_WAIT = 60_000;

/** Shows, and takes away, a button that has a board chosen again. */
export type OfferChoice = (choose: (() => void) | null) => void;

/**
 * Returns the search for the board of a device after a restart. A phone forgets a device that leaves the bus: a person
 * chooses it again, unless the browser reports it first.
 */
export function returning(device: Device, offer: OfferChoice): ReturnedPort {
  const isAsked = usesUsbPorts() && !device.isDemo;
  const search = async (signal: AbortSignal) => {
    if (isAsked) {
      // The permission is enough: the search looks for ports that were permitted since.
      offer(() => void chooseSerial().catch(() => 'refused: the search ends in time'));
    }
    try {
      return await returnedPortOf(device, signal);
    } finally {
      // Another screen may be shown after a cancel.
      if (isAsked && !signal.aborted) {
        offer(null);
      }
    }
  };
  return Object.assign(search, { personWait: isAsked ? PERSON_WAIT : 0 });
}

/**
 * Waits until a board on its own USB is back. A board that is late is found when it is needed.
 *
 * @param limit Longest time in milliseconds.
 */
export async function awaitReturn(device: Device, limit: number, offer: OfferChoice): Promise<void> {
  const late = new AbortController();
  const returned = returning(device, offer);
  const cancel = systemClock.schedule(Math.max(limit, returned.personWait ?? 0), () => late.abort());
  await returned(late.signal).catch(() => undefined);
  cancel();
}

/**
 * Finds the port of a board that was unplugged, or has it chosen again. Returns null if there is one, else the list that
 * was closed without a choice.
 */
export async function findAgain(device: Device): Promise<BoardList | null> {
  const { source, serial } = device;
  if (source.kind === 'usb') {
    return take(device, await chooseUsb(device.family));
  }
  const again = serial === null ? null : await pluggedAgain(serial, source.port);
  return take(device, again === null ? await chooseSerial() : { source: { kind: 'serial', port: again } });
}

function take(device: Device, choice: Choice): BoardList | null {
  if (choice !== null && 'source' in choice) {
    device.source = choice.source;
    return null;
  }
  return choice?.closed ?? device.source.kind;
}
