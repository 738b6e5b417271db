/**
 * USB identities of the boards in these tests. All are permitted from the start, so that one browser serves every
 * test. A browser without a permission must be replaced, and the new one fetches and compiles the whole product
 * again.
 */
import { AvrDevice, nrfBoards } from '@wirebench/devices';
import type { PortIdentity } from './virtual-port.ts';

type Plug = Omit<PortIdentity, 'serialNumber'>;

/** Maximum boards of one kind in a test. */
const MOST = 5;

/** The identity of an Espressif board's bridge, an STM32's adapter and the chatty board. */
const bridge: Plug = { product: 'CP2102 USB to UART Bridge', vendorId: 0x10c4, productId: 0xea60 };
const espUsb: Plug = { product: 'USB JTAG/serial debug unit', vendorId: 0x303a, productId: 0x1001 };

interface UsbIds {
  readonly usbVendorId: number;
  readonly usbProductId: number;
}

const nrfPlugs = Object.entries(nrfBoards).flatMap(([product, { ids }]) =>
  Object.values<UsbIds>(ids).map(({ usbVendorId: vendorId, usbProductId: productId }) => ({
    product,
    vendorId,
    productId,
  })),
);

/** Returns the identity of an Arduino board behind an adapter. */
export function avrPlug({
  name: product,
  usbIds: { usbVendorId: vendorId, usbProductId: productId },
}: AvrDevice): Plug {
  return { product, vendorId, productId };
}

export const unoPlug = avrPlug(new AvrDevice({ board: 'arduino-uno' }));
const avrPlugs = [unoPlug, avrPlug(new AvrDevice({ board: 'arduino-nano' }))];

/**
 * Returns the serial number for an index. It is the same for every board at this index, so a browser with permission
 * for one may open the next one.
 */
export const serialNumberOf = (number: number): string => String(number + 1).padStart(4, '0');

export const knownBoards: readonly PortIdentity[] = [
  ...[bridge, espUsb, ...avrPlugs].flatMap((plug) =>
    Array.from({ length: MOST }, (_, number) => ({ ...plug, serialNumber: serialNumberOf(number) })),
  ),
  ...nrfPlugs.map((plug) => ({ ...plug, serialNumber: serialNumberOf(0) })),
];
