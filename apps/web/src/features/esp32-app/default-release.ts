/** Addresses of the releases that come with the product. They are known without a request to the server. */
import { demoReleaseId, probeReleaseIds, releasePath } from '@wirebench/contract/constants';

/** Page of the product's own firmware for the ESP32. */
export const defaultRelease = releasePath('version', probeReleaseIds.esp32);

/**
 * Returns the page of the same firmware for the ESP32-C3 if the address leads to the one for the ESP32; else null.
 *
 * @param address A path on this origin, or a complete address.
 */
export function otherChipRelease(address: string, origin: string): string | null {
  return leadsTo(address, probeReleaseIds.esp32, origin)
    ? new URL(releasePath('version', probeReleaseIds.esp32c3), new URL(address, origin)).href
    : null;
}

/** Returns true if an address is the page of the demo release. A server that publishes no firmware has that release. */
export function isDemoRelease(address: string, origin: string): boolean {
  return leadsTo(address, demoReleaseId, origin);
}

function leadsTo(address: string, id: string, origin: string): boolean {
  const { pathname, searchParams } = new URL(address, origin);
  return `${pathname}?type=version&id=${searchParams.get('id')}` === releasePath('version', id);
}
