/**
 * Ports that this site may open, identified by their index in the browser's list. A `SerialPort` cannot be sent to a
 * worker, but page and worker see the list in the same order. Plugging in a board changes the order, so an index is
 * valid only at the moment it is taken.
 */
import type { SerialPorts } from '@wirebench/port';
import { hasSerialPorts, usesUsbPorts } from './serial-support.ts';

/** Identifies a port across threads. */
export interface PortPlace {
  readonly index: number;
  /** Length of the list when the index was taken. */
  readonly count: number;
  readonly info: SerialPortInfo;
}

/** Port of each place, on the thread that took the place. */
const ports = new WeakMap<PortPlace, SerialPort>();

/** @param list Current list of the browser. */
export function placeIn(list: readonly SerialPort[], port: SerialPort): PortPlace {
  const place = { index: list.indexOf(port), count: list.length, info: port.getInfo() };
  ports.set(place, port);
  return place;
}

/**
 * Returns the port of a place that this thread took, wherever the port is in the list now; undefined for a place from
 * another thread.
 */
export function portOfPlace(place: PortPlace): SerialPort | undefined {
  return ports.get(place);
}

/** Returns the place of each permitted port that is plugged in. */
export async function permittedPlaces(): Promise<PortPlace[]> {
  const list = await permittedPorts();
  return list.map((port) => placeIn(list, port));
}

/** Returns the port at `place`; undefined if the list has changed since the place was taken. */
export async function portAt(place: PortPlace): Promise<SerialPort | undefined> {
  const list = await permittedPorts();
  const port = list[place.index];
  return list.length === place.count && port !== undefined && sameInfo(port.getInfo(), place.info) ? port : undefined;
}

/** Returns the current place of `port`; undefined if it was unplugged. */
export async function placeOf(port: SerialPort): Promise<PortPlace | undefined> {
  const list = await permittedPorts();
  return list.includes(port) ? placeIn(list, port) : undefined;
}

/**
 * Returns the permitted ports that are plugged in, on this thread. The list is empty if a policy denies them to the
 * page.
 */
export async function permittedPorts(): Promise<readonly SerialPort[]> {
  if (!hasSerialPorts()) {
    return [];
  }
  try {
    return await (await registry()).getPorts();
  } catch (error) {
    if (!(error instanceof DOMException)) {
      throw error;
    }
    return [];
  }
}

/** Returns the ports of this thread. On a phone they come with the drivers of the adapters. */
function registry(): SerialPorts | Promise<SerialPorts> {
  return usesUsbPorts() ? import('./phone-ports.ts').then(({ phoneSerial }) => phoneSerial) : navigator.serial;
}

/** Calls `appeared` for every permitted port that is plugged in from now on. */
export function watchPorts(appeared: (port: SerialPort) => void): void {
  // `{ once: true }` does not work here: Chromium 156 does not fire these events to such a listener.
  listen(['connect'], ({ target }) => {
    if (target !== null && 'getInfo' in target) {
      appeared(target as SerialPort);
    }
  });
}

/** Calls `changed` when a permitted port is plugged in or pulled out. Returns a function that stops it. */
export function watchPortChanges(changed: () => void): () => void {
  return listen(['connect', 'disconnect'], changed);
}

function listen(types: readonly ('connect' | 'disconnect')[], listener: (event: Event) => void): () => void {
  const act = async (method: 'addEventListener' | 'removeEventListener') => {
    // On a computer it acts at once. On a phone the calls keep their order.
    const ports = hasSerialPorts() ? registry() : null;
    const serial = ports !== null && 'then' in ports ? await ports : ports;
    for (const type of types) {
      serial?.[method](type, listener);
    }
  };
  void act('addEventListener');
  return () => void act('removeEventListener');
}

/** Returns true for equal vendor and product ids, all that the browser reports. Two boards of one kind are equal. */
export function sameInfo(a: SerialPortInfo, b: SerialPortInfo): boolean {
  return (
    a.usbVendorId === b.usbVendorId &&
    a.usbProductId === b.usbProductId &&
    a.bluetoothServiceClassId === b.bluetoothServiceClassId
  );
}
