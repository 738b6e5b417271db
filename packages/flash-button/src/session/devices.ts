/** The browser's own choosers of devices. Each must be called directly in a click. */
import type { FamilyId } from '@wirebench/boards';
import { systemClock } from '@wirebench/clock';
import type { UsbDevice, UsbDevices } from '@wirebench/flasher/family';
import { rpUsbFilters } from '@wirebench/flasher/rp';
import { stmUsbFilter } from '@wirebench/flasher/stm';
import { devicesOn, type UsbBus, usbGone } from '@wirebench/flasher/usb-bus';
import type { Source } from '../boards/button-board.ts';

interface BrowserUsb extends UsbBus {
  requestDevice(options: { readonly filters: readonly object[] }): Promise<UsbDevice>;
}

/** Bootloader that is a USB device: filters of the browser's chooser, and the label of the button that opens it. */
interface UsbWay {
  readonly filters: readonly object[];
  readonly label: string;
}

const usbWays: Readonly<Partial<Record<FamilyId, UsbWay>>> = {
  stm: { filters: [stmUsbFilter], label: 'Connect over USB (DFU)' },
  rp: { filters: rpUsbFilters, label: 'Connect over USB (BOOTSEL)' },
};

const browserUsb = () => (navigator as Navigator & { readonly usb?: BrowserUsb }).usb;

export const hasSerial = (): boolean => 'serial' in navigator;
/** Returns the USB way of a family; null without one, and in browsers without WebUSB. */
export const usbWayOf = (family: FamilyId): UsbWay | null =>
  browserUsb() === undefined ? null : (usbWays[family] ?? null);

/** Returns the USB devices that this page may use; undefined in browsers without WebUSB. */
export function usbDevices(): UsbDevices | undefined {
  const usb = browserUsb();
  return usb === undefined ? undefined : devicesOn(usb, systemClock);
}

/** Returns null if the person closed the chooser without a choice. */
export function chooseSerial(): Promise<Source | null> {
  return unlessDismissed(async () => ({ kind: 'serial', port: await navigator.serial.requestPort() }));
}

/** Offers boards of a family in their USB bootloader. Returns null if the person closed the chooser without a choice. */
export function chooseUsb(family: FamilyId): Promise<Source | null> {
  const usb = browserUsb();
  const way = usbWayOf(family);
  if (usb === undefined || way === null) {
    return Promise.resolve(null);
  }
  return unlessDismissed(async () => {
    const device = await usb.requestDevice({ filters: way.filters });
    return { kind: 'usb', device, gone: usbGone(usb, device) };
  });
}

async function unlessDismissed<Result>(choose: () => Promise<Result>): Promise<Result | null> {
  try {
    return await choose();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotFoundError') {
      return null;
    }
    throw error;
  }
}
