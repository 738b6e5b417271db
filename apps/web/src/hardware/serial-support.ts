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
