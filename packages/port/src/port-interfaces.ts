/** The interfaces of a browser that have serial ports, for each page and worker that asks for one. */

/**
 * Returns true on a phone or tablet that reaches serial adapters over WebUSB, on a page or in a worker. The system of a
 * computer holds them, so that Web Serial is the only way there.
 */
export const usesUsbPorts = (): boolean =>
  /Android|Mobi/.test(navigator.userAgent) && Boolean((navigator as { readonly usb?: object }).usb);

/** Returns the number of interfaces with serial ports in this thread: Web Serial, and WebUSB on a phone. */
export const portInterfaces = (): number => Number('serial' in navigator) + Number(usesUsbPorts());

/** Returns true if this thread can have serial ports. */
export const hasSerialPorts = (): boolean => portInterfaces() > 0;
