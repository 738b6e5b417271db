/**
 * The ports that this site may open, found by their place in the browser's list: a `SerialPort` cannot be sent to a worker,
 * but page and worker see the list in the same order. The order changes when a board is plugged in, so a place is only
 * good at the moment it is named.
 */
import { hasWebSerial } from './serial-support.ts';

/** Names a port across threads. */
export interface PortPlace {
  readonly index: number;
  /** Length of the list when the place was taken. */
  readonly count: number;
  readonly info: SerialPortInfo;
}

/** The place of each permitted port that is plugged in. */
export async function permittedPlaces(): Promise<PortPlace[]> {
  if (!hasWebSerial()) {
    return [];
  }
  const ports = await navigator.serial.getPorts();
  return ports.map((port, index) => ({ index, count: ports.length, info: port.getInfo() }));
}

/** The port at `place`, or undefined when the list is no longer the one that the place was taken from. */
export async function portAt(place: PortPlace): Promise<SerialPort | undefined> {
  const ports = hasWebSerial() ? await navigator.serial.getPorts() : [];
  const port = ports[place.index];
  return ports.length === place.count && port !== undefined && sameInfo(port.getInfo(), place.info) ? port : undefined;
}

/** Where `port` stands in the list now; undefined when it has gone meanwhile. */
export async function placeOf(port: SerialPort): Promise<PortPlace | undefined> {
  const ports = hasWebSerial() ? await navigator.serial.getPorts() : [];
  const index = ports.indexOf(port);
  return index < 0 ? undefined : { index, count: ports.length, info: port.getInfo() };
}

/** Calls `appeared` for every permitted port that is plugged in from now on. */
export function watchPorts(appeared: (port: SerialPort) => void): void {
  if (!hasWebSerial()) {
    return;
  }
  // Never with `{ once: true }`: Chromium 156 does not fire these events to such a listener at all.
  navigator.serial.addEventListener('connect', (event) => {
    if (event.target instanceof SerialPort) {
      appeared(event.target);
    }
  });
}

/** Equal vendor and product ids: all that the browser tells. Two boards of one kind are equal. */
export function sameInfo(a: SerialPortInfo, b: SerialPortInfo): boolean {
  return (
    a.usbVendorId === b.usbVendorId &&
    a.usbProductId === b.usbProductId &&
    a.bluetoothServiceClassId === b.bluetoothServiceClassId
  );
}
