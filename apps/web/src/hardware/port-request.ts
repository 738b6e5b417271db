/**
 * The browser's own dialog for serial ports. Available on the page only, and only directly in a click or key handler.
 */
import { choiceFrom } from './dismissed-list.ts';
import { type PortPlace, placeIn } from './permitted-ports.ts';

/**
 * Lets the person pick a port. Returns null if the dialog was closed without a choice. Throws the browser's error if
 * it refuses, usually a `SecurityError`.
 */
export async function requestPort(): Promise<PortPlace | null> {
  const picked = await choiceFrom('serial', () => navigator.serial.requestPort());
  if (picked === null) {
    return null;
  }
  return placeIn(await navigator.serial.getPorts(), picked);
}
