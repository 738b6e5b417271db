/** Finds the UARTs of a USB device: by vendor and product where a chip has requests of its own, else by class. */
import { CdcDriver } from './drivers/cdc.ts';
import { Ch34xDriver } from './drivers/ch34x.ts';
import { Cp210xDriver } from './drivers/cp210x.ts';
import type { UartPlace, UsbSerialDriver } from './drivers/driver.ts';
import { FtdiDriver } from './drivers/ftdi.ts';
import { Pl2303Driver } from './drivers/pl2303.ts';
import type { UsbAlternate, UsbDevice, UsbEndpoint, UsbInterface, UsbSerialFilter } from './usb-device.ts';

/** One UART of a device: the interfaces to claim, and the endpoints of its bytes. */
export interface Uart {
  readonly makeDriver: (place: UartPlace) => UsbSerialDriver;
  /** The interface that takes requests. */
  readonly control: number;
  /** Interfaces with the alternate setting that has the endpoints. */
  readonly claims: readonly { readonly interfaceNumber: number; readonly alternateSetting: number }[];
  readonly input: UsbEndpoint;
  readonly output: UsbEndpoint;
  readonly notifications: UsbEndpoint | null;
}

/** Chips with requests of their own: vendor, products, driver (their makers' data sheets; Linux drivers). */
const chips: readonly {
  readonly vendorId: number;
  readonly productIds: readonly number[];
  readonly makeDriver: (place: UartPlace) => UsbSerialDriver;
}[] = [
  { vendorId: 0x10c4, productIds: [0xea60, 0xea70, 0xea71], makeDriver: (place) => new Cp210xDriver(place) },
  {
    vendorId: 0x0403,
    productIds: [0x6001, 0x6010, 0x6011, 0x6014, 0x6015],
    makeDriver: (place) => new FtdiDriver(place),
  },
  { vendorId: 0x1a86, productIds: [0x7522, 0x7523, 0x5523], makeDriver: (place) => new Ch34xDriver(place) },
  {
    vendorId: 0x067b,
    productIds: [0x2303, 0x23a3, 0x23b3, 0x23c3, 0x23d3, 0x23e3, 0x23f3],
    makeDriver: (place) => new Pl2303Driver(place),
  },
];

/** Classes of interfaces (USB-IF, "Defined Class Codes"), and the subclass of modems and serial adapters. */
const COMMUNICATIONS = 2;
const ABSTRACT_CONTROL = 2;
const DATA = 10;

/**
 * Vendors of boards whose serial port is of the class CDC: Espressif, Raspberry Pi, Arduino, Adafruit and
 * STMicroelectronics. A filter by class would match most of their boards as well.
 */
const boardVendors = [0x303a, 0x2e8a, 0x2341, 0x239a, 0x0483];

/** Filters for `navigator.usb.requestDevice` that show serial adapters and boards, and little else. */
export const usbSerialFilters: readonly UsbSerialFilter[] = [
  ...[...chips.map(({ vendorId }) => vendorId), ...boardVendors].map((vendorId) => ({ vendorId })),
  { classCode: COMMUNICATIONS },
];

/** Returns the UARTs of a device in the order of their interfaces; none for a device without a serial port. */
export function uartsOf(device: UsbDevice): readonly Uart[] {
  const { interfaces } = device.configuration ?? device.configurations[0] ?? { interfaces: [] };
  const chip = chips.find(
    ({ vendorId, productIds }) => vendorId === device.vendorId && productIds.includes(device.productId),
  );
  return chip === undefined
    ? interfaces.flatMap((one, place) => cdcUart(one, interfaces.slice(place + 1)) ?? [])
    : interfaces.flatMap((one) => uartWith(chip.makeDriver, one, one) ?? []);
}

const bulkPair = ({ endpoints }: UsbAlternate) =>
  endpoints.some(({ type, direction }) => type === 'bulk' && direction === 'in') &&
  endpoints.some(({ type, direction }) => type === 'bulk' && direction === 'out');

function cdcUart(control: UsbInterface, following: readonly UsbInterface[]): Uart | null {
  const isControl = control.alternates.some(
    ({ interfaceClass, interfaceSubclass }) =>
      interfaceClass === COMMUNICATIONS && interfaceSubclass === ABSTRACT_CONTROL,
  );
  if (!isControl) {
    return null;
  }
  const data = [control, ...following].find(({ alternates }) =>
    alternates.some((one) => bulkPair(one) && (one.interfaceClass === DATA || alternates === control.alternates)),
  );
  return data === undefined ? null : uartWith((place) => new CdcDriver(place), control, data);
}

function uartWith(makeDriver: Uart['makeDriver'], control: UsbInterface, data: UsbInterface): Uart | null {
  const alternate = data.alternates.find(bulkPair);
  const find = (of: UsbAlternate | undefined, type: UsbEndpoint['type'], direction: UsbEndpoint['direction']) =>
    of?.endpoints.find((endpoint) => endpoint.type === type && endpoint.direction === direction);
  const input = find(alternate, 'bulk', 'in');
  const output = find(alternate, 'bulk', 'out');
  if (alternate === undefined || input === undefined || output === undefined) {
    return null;
  }
  const first = control === data ? alternate : control.alternates[0];
  const claims = [{ interfaceNumber: data.interfaceNumber, alternateSetting: alternate.alternateSetting }];
  if (control !== data) {
    claims.unshift({ interfaceNumber: control.interfaceNumber, alternateSetting: first?.alternateSetting ?? 0 });
  }
  return {
    makeDriver,
    control: control.interfaceNumber,
    claims,
    input,
    output,
    notifications: find(first, 'interrupt', 'in') ?? null,
  };
}
