/** The browser's own choosers of devices. Each must be called directly in a click. */
import type { FamilyId } from '@wirebench/boards';
import { systemClock } from '@wirebench/clock';
import type { UsbDevice, UsbDevices } from '@wirebench/flasher/family';
import { rpUsbFilters } from '@wirebench/flasher/rp';
import { stmUsbFilter } from '@wirebench/flasher/stm';
import { devicesOn, type UsbBus, usbGone } from '@wirebench/flasher/usb-bus';
import type { SerialPorts } from '@wirebench/port';
import type { BoardList } from '@wirebench/port/missing-board';
import { hasSerialPorts, usesUsbPorts } from '@wirebench/port/port-interfaces';
import type { PhoneList } from '@wirebench/usb-serial';
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

const loadPhone = () => import('./phone.ts');

/** Loads what a phone needs before the first press, whose activation does not last while a file comes. */
export async function prepareDevices(): Promise<void> {
  if (usesUsbPorts()) {
    await loadPhone();
  }
}

/** Returns the ports of this page; null in browsers without any. */
export async function serialPorts(): Promise<SerialPorts | null> {
  if (usesUsbPorts()) {
    return (await loadPhone()).phoneSerial;
  }
  return hasSerialPorts() ? navigator.serial : null;
}

/** A chosen device, or the list that was closed without a choice; null while another list is open. */
export type Choice = { readonly source: Source } | { readonly closed: BoardList } | null;

/** Returns the USB way of a family; null without one, and in browsers without WebUSB. */
export const usbWayOf = (family: FamilyId): UsbWay | null =>
  browserUsb() === undefined ? null : (usbWays[family] ?? null);

/** Returns the USB devices that this page may use; undefined in browsers without WebUSB. */
export function usbDevices(): UsbDevices | undefined {
  const usb = browserUsb();
  return usb === undefined ? undefined : devicesOn(usb, systemClock);
}

/** @param list List that the person asks for on a phone. Missing: the one that most likely has the board. */
export async function chooseSerial(list?: PhoneList): Promise<Choice> {
  if (!usesUsbPorts()) {
    return unlessDismissed('serial', async () => ({ kind: 'serial', port: await navigator.serial.requestPort() }));
  }
  const choice = await (await loadPhone()).phoneChooser.choose(list);
  if ('port' in choice) {
    return { source: { kind: 'serial', port: choice.port } };
  }
  if ('closed' in choice) {
    return { closed: choice.closed === 'usb' ? 'adapters' : 'serial' };
  }
  return choice.refused === 'portless' ? { closed: 'portless' } : null;
}

/** Offers boards of a family in their USB bootloader. */
export function chooseUsb(family: FamilyId): Promise<Choice> {
  const usb = browserUsb();
  const way = usbWayOf(family);
  if (usb === undefined || way === null) {
    return Promise.resolve(null);
  }
  return unlessDismissed('usb', async () => {
    const device = await usb.requestDevice({ filters: way.filters });
    return { kind: 'usb', device, gone: usbGone(usb, device) };
  });
}

async function unlessDismissed(list: BoardList, choose: () => Promise<Source>): Promise<Choice> {
  try {
    return { source: await choose() };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotFoundError') {
      return { closed: list };
    }
    throw error;
  }
}
