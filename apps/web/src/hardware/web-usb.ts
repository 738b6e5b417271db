/**
 * USB devices that this site may use, identified by their index in the browser's list. A `USBDevice` cannot be sent
 * to a worker, but page and worker see the list in the same order (WebUSB section 4: dedicated workers have
 * `navigator.usb` too).
 */
import type { Clock } from '@wirebench/clock';
import type { UsbDevice, UsbDevices } from '@wirebench/flasher/family';
import { choiceFrom } from './dismissed-list.ts';

/** The used part of `navigator.usb`. A simulated bus implements it too. */
export interface UsbBus {
  getDevices(): Promise<UsbDevice[]>;
  addEventListener(type: 'connect' | 'disconnect', listener: (event: Event) => void): void;
  removeEventListener(type: 'connect' | 'disconnect', listener: (event: Event) => void): void;
}

interface BrowserUsb extends UsbBus {
  requestDevice(options: { readonly filters: readonly UsbFilter[] }): Promise<UsbDevice>;
}

/** Ids of a device, or the class of one of its interfaces (WebUSB, `USBDeviceFilter`). */
export type UsbFilter =
  | { readonly vendorId: number; readonly productId: number }
  | { readonly classCode: number; readonly subclassCode: number; readonly protocolCode: number };

/** Identifies a device across threads. */
export interface UsbPlace {
  readonly index: number;
  /** Length of the list when the index was taken. */
  readonly count: number;
  readonly vendorId: number;
  readonly productId: number;
}

/** The browser's own bus; null without WebUSB, or on a page over plain http. */
export function browserUsb(): BrowserUsb | null {
  const { usb } = navigator as Navigator & { readonly usb?: BrowserUsb };
  return usb ?? null;
}

/**
 * Lets the person pick a device. Call it on the page, directly in a click or key handler. Returns null if the dialog
 * was closed without a choice. Throws the browser's error if it refuses, usually a `SecurityError`.
 */
export async function requestUsb(filters: readonly UsbFilter[]): Promise<UsbPlace | null> {
  const usb = browserUsb();
  if (usb === null) {
    return null;
  }
  const picked = await choiceFrom('usb', () => usb.requestDevice({ filters }));
  if (picked === null) {
    return null;
  }
  const devices = await usb.getDevices();
  const { vendorId, productId } = picked;
  return { index: devices.indexOf(picked), count: devices.length, vendorId, productId };
}

/** Returns the device at `place`; undefined if the list has changed since the place was taken. */
export async function usbAt({ index, count, ...ids }: UsbPlace): Promise<UsbDevice | undefined> {
  const devices = (await browserUsb()?.getDevices()) ?? [];
  const device = devices[index];
  const isMeant = device?.vendorId === ids.vendorId && device.productId === ids.productId;
  return devices.length === count && isMeant ? device : undefined;
}

/** Returns a signal that aborts when `device` is unplugged. */
export function usbGone(bus: UsbBus, device: UsbDevice): AbortSignal {
  const gone = new AbortController();
  const look = (event: Event) => {
    if ('device' in event && event.device === device) {
      bus.removeEventListener('disconnect', look);
      gone.abort();
    }
  };
  // `{ once: true }` would be wrong: the event fires for every device.
  bus.addEventListener('disconnect', look);
  return gone.signal;
}

/** Returns true for the same kind of device with the same serial number, where both report one. */
export function isSameUsb(one: UsbDevice, other: UsbDevice): boolean {
  const [a, b] = [one.serialNumber, other.serialNumber];
  const serial = !a || !b || a === b;
  return one.vendorId === other.vendorId && one.productId === other.productId && serial;
}

/** Time between two looks at the list while a board is awaited, in milliseconds. A permission fires no event. */
const PERMISSION_POLL = 500;

/** Returns the devices of a bus, for a family that looks for its board among them. */
export function devicesOn(bus: UsbBus, clock: Clock): UsbDevices {
  return {
    list: () => bus.getDevices(),
    changed: (signal) =>
      new Promise((resolve, reject) => {
        const end = () => {
          cancel();
          bus.removeEventListener('connect', changed);
          bus.removeEventListener('disconnect', changed);
          signal.removeEventListener('abort', abandoned);
        };
        const changed = () => {
          end();
          resolve();
        };
        const abandoned = () => {
          end();
          reject(signal.reason);
        };
        const cancel = clock.schedule(PERMISSION_POLL, changed);
        bus.addEventListener('connect', changed);
        bus.addEventListener('disconnect', changed);
        signal.addEventListener('abort', abandoned);
        if (signal.aborted) {
          abandoned();
        }
      }),
    gone: (device) => usbGone(bus, device),
  };
}
