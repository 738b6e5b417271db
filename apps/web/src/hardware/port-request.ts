/** The browser's own dialog for serial ports. Page only, and only straight from a click or a key press. */
import type { PortPlace } from './permitted-ports.ts';

/**
 * Lets the person pick a port. Null when the dialog was closed without a choice.
 * Throws what the browser throws when it refuses, a `SecurityError` most of all.
 */
export async function requestPort(): Promise<PortPlace | null> {
  const picked = await pick();
  if (picked === null) {
    return null;
  }
  const ports = await navigator.serial.getPorts();
  return { index: ports.indexOf(picked), count: ports.length, info: picked.getInfo() };
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
