/** The browser's own choosers of devices. Each must be called directly in a click. */
import { stmUsbFilter, type UsbDevice } from '@wirebench/flasher/stm';
import type { Source } from '../boards/button-board.ts';

interface BrowserUsb extends EventTarget {
  requestDevice(options: { readonly filters: readonly object[] }): Promise<UsbDevice>;
}

const browserUsb = () => (navigator as Navigator & { readonly usb?: BrowserUsb }).usb;

export const hasSerial = (): boolean => 'serial' in navigator;
export const hasUsb = (): boolean => browserUsb() !== undefined;

/** Returns null if the person closed the chooser without a choice. */
export function chooseSerial(): Promise<Source | null> {
  return unlessDismissed(async () => ({ kind: 'serial', port: await navigator.serial.requestPort() }));
}

/** Offers STM32 parts in their USB bootloader. Returns null if the person closed the chooser without a choice. */
export function chooseUsb(): Promise<Source | null> {
  const usb = browserUsb();
  if (usb === undefined) {
    return Promise.resolve(null);
  }
  return unlessDismissed(async () => {
    const device = await usb.requestDevice({ filters: [stmUsbFilter] });
    const gone = new AbortController();
    usb.addEventListener('disconnect', (event) => {
      if ('device' in event && event.device === device) {
        gone.abort();
      }
    });
    return { kind: 'usb', device, gone: gone.signal };
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
