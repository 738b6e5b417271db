/**
 * What the browser knows the ports of these tests by. All are permitted from the start, so that one browser serves the boards of every
 * test: one that may not open a port is ended, and the next fetches and compiles the whole product again.
 */
import { nordicBoards } from '@wirebench/devices';
import type { PortIdentity } from './virtual-port.ts';

type Plug = Omit<PortIdentity, 'serialNumber'>;

/** Boards of a kind that a test has at most. */
const MOST = 5;

/** Also that of an STM32's adapter, and of the chatty board. */
const bridge: Plug = { product: 'CP2102 USB to UART Bridge', vendorId: 0x10c4, productId: 0xea60 };
const espUsb: Plug = { product: 'USB JTAG/serial debug unit', vendorId: 0x303a, productId: 0x1001 };

interface UsbIds {
  readonly usbVendorId: number;
  readonly usbProductId: number;
}

const nordicPlugs = Object.entries(nordicBoards).flatMap(([product, { ids }]) =>
  Object.values<UsbIds>(ids).map(({ usbVendorId: vendorId, usbProductId: productId }) => ({
    product,
    vendorId,
    productId,
  })),
);

/** The same for every board at this place: a browser that may open one may open the next one there. */
export const serialNumberOf = (number: number): string => String(number + 1).padStart(4, '0');

export const knownBoards: readonly PortIdentity[] = [
  ...[bridge, espUsb].flatMap((plug) =>
    Array.from({ length: MOST }, (_, number) => ({ ...plug, serialNumber: serialNumberOf(number) })),
  ),
  ...nordicPlugs.map((plug) => ({ ...plug, serialNumber: serialNumberOf(0) })),
];
