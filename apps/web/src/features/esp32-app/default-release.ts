/** The releases that come with the product: their pages are known before the server has been asked. */
import { demoReleaseId, probeReleaseIds, releasePath } from '@wirebench/contract/constants';

/** The page of the product's own firmware for the ESP32. */
export const defaultRelease = releasePath('version', probeReleaseIds.esp32);

/** The page of the same for the ESP32-C3, where an address leads to the one for the ESP32, on this origin or complete; otherwise null. */
export function otherChipRelease(address: string, origin: string): string | null {
  return leadsTo(address, probeReleaseIds.esp32, origin)
    ? new URL(releasePath('version', probeReleaseIds.esp32c3), new URL(address, origin)).href
    : null;
}

/** Whether an address is the page of the demo release, which a server has that publishes no firmware. */
export function isDemoRelease(address: string, origin: string): boolean {
  return leadsTo(address, demoReleaseId, origin);
}

function leadsTo(address: string, id: string, origin: string): boolean {
  const { pathname, searchParams } = new URL(address, origin);
  return `${pathname}?type=version&id=${searchParams.get('id')}` === releasePath('version', id);
}
