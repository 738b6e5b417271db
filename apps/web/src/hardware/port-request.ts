/** The browser's own dialog for serial ports. Page only, and only straight from a click or a key press. */
import { type PortPlace, placeIn } from './permitted-ports.ts';

/**
 * Lets the person pick a port. Null when the dialog was closed without a choice.
 * Throws what the browser throws when it refuses, a `SecurityError` most of all.
 */
export async function requestPort(): Promise<PortPlace | null> {
  const picked = await pick();
  if (picked === null) {
    return null;
  }
  return placeIn(await navigator.serial.getPorts(), picked);
}

async function pick(): Promise<SerialPort | null> {
  try {
    return await navigator.serial.requestPort();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'NotFoundError') {
      return null;
    }
    throw error;
  }
}
