/** What this browser can do with serial ports. Asks and counts only: no port is opened here. */

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

/** How many plugged-in ports this site may already open without asking; 0 where there is no Web Serial. */
export async function rememberedPorts(): Promise<number> {
  return hasWebSerial() ? (await navigator.serial.getPorts()).length : 0;
}
