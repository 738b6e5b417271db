/** Support of this browser for serial ports and USB devices. */

import { hasSerialPorts, portInterfaces, usesUsbPorts } from '@wirebench/port/port-interfaces';

export { hasSerialPorts, portInterfaces, usesUsbPorts };

export type SerialSupport = 'ready' | 'insecure-context' | 'unsupported';

export function hasWebUsb(): boolean {
  const { usb } = navigator as Navigator & { readonly usb?: object };
  return (usb ?? null) !== null;
}

/** A page over plain http that is not on localhost has no serial ports, even in browsers that support them. */
export function serialSupport(): SerialSupport {
  if (hasSerialPorts()) {
    return 'ready';
  }
  return isSecureContext ? 'unsupported' : 'insecure-context';
}

/** Returns the number of plugged-in ports of Web Serial that this site may open without asking. */
export async function rememberedPorts(): Promise<number> {
  try {
    return hasSerialPorts() ? (await navigator.serial.getPorts()).length : 0;
  } catch (error) {
    // A policy denies them to the page.
    if (!(error instanceof DOMException)) {
      throw error;
    }
    return 0;
  }
}
