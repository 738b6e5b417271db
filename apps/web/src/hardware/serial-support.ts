/** Support of this browser for serial ports and USB devices. */

export type SerialSupport = 'ready' | 'insecure-context' | 'unsupported';

/** Returns true if `navigator.serial` exists, on a page or in a worker. */
export function hasWebSerial(): boolean {
  return 'serial' in navigator;
}

export function hasWebUsb(): boolean {
  const { usb } = navigator as Navigator & { readonly usb?: object };
  return (usb ?? null) !== null;
}

/** A page over plain http that is not on localhost has no Web Serial, even in browsers that support it. */
export function serialSupport(): SerialSupport {
  if (hasWebSerial()) {
    return 'ready';
  }
  return isSecureContext ? 'unsupported' : 'insecure-context';
}
