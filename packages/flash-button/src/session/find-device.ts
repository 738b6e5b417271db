/** Finds the board of a chosen device again: after a restart, or after it was unplugged. */
import { systemClock } from '@wirebench/clock';
import { pluggedAgain, returnedPort } from '@wirebench/port';
import type { BoardList } from '@wirebench/port/missing-board';
import { type Choice, chooseSerial, chooseUsb } from './devices.ts';
import type { Device } from './flash-job.ts';

/** Resolves with the port as which the board of a device comes back, and remembers it. */
export async function returnedPortOf(device: Device, signal: AbortSignal): Promise<SerialPort> {
  const { source, serial, others } = device;
  if (source.kind !== 'serial' || serial === null) {
    throw new DOMException('This device has no port.', 'NotFoundError');
  }
  const port = await returnedPort(serial, source.port, others, signal);
  device.source = { kind: 'serial', port };
  return port;
}

/**
 * Waits until a board on its own USB is back. A board that is late is found when it is needed.
 *
 * @param limit Longest time in milliseconds.
 */
export async function awaitReturn(device: Device, limit: number): Promise<void> {
  const late = new AbortController();
  const cancel = systemClock.schedule(limit, () => late.abort());
  await returnedPortOf(device, late.signal).catch(() => undefined);
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
