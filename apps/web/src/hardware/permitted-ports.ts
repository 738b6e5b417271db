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

/** Which port each place was taken of, on the thread that took it. */
const ports = new WeakMap<PortPlace, SerialPort>();

/** @param list as the browser gives it now */
export function placeIn(list: readonly SerialPort[], port: SerialPort): PortPlace {
  const place = { index: list.indexOf(port), count: list.length, info: port.getInfo() };
  ports.set(place, port);
  return place;
}

/** The port that this thread has taken `place` of, wherever it stands by now; undefined for a place from elsewhere. */
export function portOfPlace(place: PortPlace): SerialPort | undefined {
  return ports.get(place);
}

/** The place of each permitted port that is plugged in. */
export async function permittedPlaces(): Promise<PortPlace[]> {
  const list = await permittedPorts();
  return list.map((port) => placeIn(list, port));
}

/** The port at `place`, or undefined when the list is no longer the one that the place was taken from. */
export async function portAt(place: PortPlace): Promise<SerialPort | undefined> {
  const list = await permittedPorts();
  const port = list[place.index];
  return list.length === place.count && port !== undefined && sameInfo(port.getInfo(), place.info) ? port : undefined;
}

/** Where `port` stands in the list now; undefined when it has gone meanwhile. */
export async function placeOf(port: SerialPort): Promise<PortPlace | undefined> {
  const list = await permittedPorts();
  return list.includes(port) ? placeIn(list, port) : undefined;
}

/** The permitted ports that are plugged in, on this thread; none where a policy keeps them from the page. */
export async function permittedPorts(): Promise<readonly SerialPort[]> {
  if (!hasWebSerial()) {
    return [];
  }
  try {
    return await navigator.serial.getPorts();
  } catch (error) {
    if (!(error instanceof DOMException)) {
      throw error;
    }
    return [];
  }
}

/** How many plugged-in ports this site may already open without asking. */
export async function rememberedPorts(): Promise<number> {
  return (await permittedPorts()).length;
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

/** Calls `changed` when a permitted port is plugged in or pulled out. @returns what ends that */
export function watchPortChanges(changed: () => void): () => void {
  if (!hasWebSerial()) {
    return () => undefined;
  }
  const { serial } = navigator;
  serial.addEventListener('connect', changed);
  serial.addEventListener('disconnect', changed);
  return () => {
    serial.removeEventListener('connect', changed);
    serial.removeEventListener('disconnect', changed);
  };
}

/** Equal vendor and product ids: all that the browser tells. Two boards of one kind are equal. */
export function sameInfo(a: SerialPortInfo, b: SerialPortInfo): boolean {
  return (
    a.usbVendorId === b.usbVendorId &&
    a.usbProductId === b.usbProductId &&
    a.bluetoothServiceClassId === b.bluetoothServiceClassId
  );
}
