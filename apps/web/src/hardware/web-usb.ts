/**
 * USB devices that this site may use, found by their place in the browser's list: like a serial port, a `USBDevice` cannot be sent
 * to a worker, but page and worker see the list in the same order (WebUSB section 4: `navigator.usb` is in dedicated workers too).
 */
import type { UsbDevice } from '@wirebench/flasher/stm32';

/** What of `navigator.usb` is used; a simulated bus is one, too. */
export interface UsbBus {
  getDevices(): Promise<UsbDevice[]>;
  addEventListener(type: 'connect' | 'disconnect', listener: (event: Event) => void): void;
  removeEventListener(type: 'connect' | 'disconnect', listener: (event: Event) => void): void;
}

interface BrowserUsb extends UsbBus {
  requestDevice(options: { readonly filters: readonly UsbFilter[] }): Promise<UsbDevice>;
}

export interface UsbFilter {
  readonly vendorId: number;
  readonly productId: number;
}

/** Names a device across threads. */
export interface UsbPlace {
  readonly index: number;
  /** Length of the list when the place was taken. */
  readonly count: number;
  readonly vendorId: number;
  readonly productId: number;
}

/** The browser's own bus; null where there is no WebUSB, or the page came over plain http. */
export function browserUsb(): BrowserUsb | null {
  const { usb } = navigator as Navigator & { readonly usb?: BrowserUsb };
  return usb ?? null;
}

export function hasWebUsb(): boolean {
  return browserUsb() !== null;
}

/**
 * Lets the person pick a device. Page only, and only straight from a click. Null when the dialog was closed without a choice.
 * Throws what the browser throws when it refuses, a `SecurityError` most of all.
 */
export async function requestUsb(filter: UsbFilter): Promise<UsbPlace | null> {
  const usb = browserUsb();
  if (usb === null) {
    return null;
  }
  const picked = await usb.requestDevice({ filters: [filter] }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'NotFoundError') {
      return null;
    }
    throw error;
  });
  if (picked === null) {
    return null;
  }
  const devices = await usb.getDevices();
  const { vendorId, productId } = picked;
  return { index: devices.indexOf(picked), count: devices.length, vendorId, productId };
}

/** The device at `place`, or undefined when the list is no longer the one that the place was taken from. */
export async function usbAt({ index, count, ...ids }: UsbPlace): Promise<UsbDevice | undefined> {
  const devices = (await browserUsb()?.getDevices()) ?? [];
  const device = devices[index];
  const isMeant = device?.vendorId === ids.vendorId && device.productId === ids.productId;
  return devices.length === count && isMeant ? device : undefined;
}

/** Aborts when `device` is unplugged. */
export function usbGone(bus: UsbBus, device: UsbDevice): AbortSignal {
  const gone = new AbortController();
  const look = (event: Event) => {
    if ('device' in event && event.device === device) {
      bus.removeEventListener('disconnect', look);
      gone.abort();
    }
  };
  // Never with `{ once: true }`: the event is told of every device.
  bus.addEventListener('disconnect', look);
  return gone.signal;
}

/** The same kind of device, with the same serial number where both tell. */
export function isSameUsb(one: UsbDevice, other: UsbDevice): boolean {
  const [a, b] = [one.serialNumber, other.serialNumber];
  const serial = !a || !b || a === b;
  return one.vendorId === other.vendorId && one.productId === other.productId && serial;
}
