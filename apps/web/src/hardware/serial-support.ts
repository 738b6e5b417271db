/** What this browser can do with serial ports. */

export type SerialSupport = 'ready' | 'insecure-context' | 'unsupported';

/** True where `navigator.serial` exists, on a page as in a worker. */
export function hasWebSerial(): boolean {
  return 'serial' in navigator;
}

/** A page over plain http that is not on localhost hides Web Serial even in browsers that have it. */
export function serialSupport(): SerialSupport {
  if (hasWebSerial()) {
    return 'ready';
  }
  return isSecureContext ? 'unsupported' : 'insecure-context';
}
