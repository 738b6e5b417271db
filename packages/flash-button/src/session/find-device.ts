/** Finds the board of a chosen device again: after a restart, or after it was unplugged. */
import { systemClock } from '@wirebench/clock';
import { pluggedAgain, returnedPort } from '@wirebench/port';
import type { Source } from '../boards/button-board.ts';
import { chooseSerial, chooseUsb } from './devices.ts';
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

/** Finds the port of a board that was unplugged, or has it chosen again. Returns false without a choice. */
export async function findAgain(device: Device): Promise<boolean> {
  const { source, serial } = device;
  if (source.kind === 'usb') {
    const chosen = await chooseUsb(device.family);
    device.source = chosen ?? source;
    return chosen !== null;
  }
  const again = serial === null ? null : await pluggedAgain(serial, source.port);
  const chosen: Source | null = again === null ? await chooseSerial() : { kind: 'serial', port: again };
  device.source = chosen ?? source;
  return chosen !== null;
}
