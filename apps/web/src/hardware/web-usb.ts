/**
 * USB devices that this site may use, identified by their index in the browser's list. A `USBDevice` cannot be sent
 * to a worker, but page and worker see the list in the same order (WebUSB section 4: dedicated workers have
 * `navigator.usb` too).
 */
import type { UsbDevice } from '@wirebench/flasher/family';
import { devicesOn, type UsbBus, usbGone } from '@wirebench/flasher/usb-bus';
import { choiceFrom } from './dismissed-list.ts';

export { devicesOn, type UsbBus, usbGone };

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

/** Returns the place of a device in the browser's list; undefined if it is not plugged in. */
async function placeOfUsb(usb: UsbBus, device: UsbDevice): Promise<UsbPlace | undefined> {
  const devices = await usb.getDevices();
  const index = devices.indexOf(device);
  const { vendorId, productId } = device;
  return index < 0 ? undefined : { index, count: devices.length, vendorId, productId };
}

/**
 * Calls `appeared` for each permitted device with one of these ids that is plugged in from now on. Its argument finds the
 * device's place in the browser's list later.
 */
export function watchUsb(
  filters: readonly UsbFilter[],
  appeared: (findPlace: () => Promise<UsbPlace | undefined>) => void,
): void {
  const usb = browserUsb();
  usb?.addEventListener('connect', (event) => {
    const { device } = event as Event & { readonly device: UsbDevice };
    const isMeant = filters.some(
      (one) => 'vendorId' in one && one.vendorId === device.vendorId && one.productId === device.productId,
    );
    if (isMeant) {
      appeared(() => placeOfUsb(usb, device));
    }
  });
}

/** Returns the device at `place`; undefined if the list has changed since the place was taken. */
export async function usbAt({ index, count, ...ids }: UsbPlace): Promise<UsbDevice | undefined> {
  const devices = (await browserUsb()?.getDevices()) ?? [];
  const device = devices[index];
  const isMeant = device?.vendorId === ids.vendorId && device.productId === ids.productId;
  return devices.length === count && isMeant ? device : undefined;
}

/** Returns true for the same kind of device with the same serial number, where both report one. */
export function isSameUsb(one: UsbDevice, other: UsbDevice): boolean {
  const [a, b] = [one.serialNumber, other.serialNumber];
  const serial = !a || !b || a === b;
  return one.vendorId === other.vendorId && one.productId === other.productId && serial;
}
