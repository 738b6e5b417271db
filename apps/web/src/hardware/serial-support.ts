/** Support of this browser for serial ports. */

export type SerialSupport = 'ready' | 'insecure-context' | 'unsupported';

/** Returns true if `navigator.serial` exists, on a page or in a worker. */
export function hasWebSerial(): boolean {
  return 'serial' in navigator;
}

/** A page over plain http that is not on localhost has no Web Serial, even in browsers that support it. */
export function serialSupport(): SerialSupport {
  if (hasWebSerial()) {
    return 'ready';
  }
  return isSecureContext ? 'unsupported' : 'insecure-context';
}
