import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { uartsOf, usbSerialFilters } from './recognition.ts';
import { adapterNames, devices, fakeAdapter } from './testing/adapters.ts';
import { FakeCdc } from './testing/chips/fake-cdc.ts';
import { FakeUsbDevice, type UsbDescriptor } from './testing/fake-usb-device.ts';

const clock = new VirtualClock();
type Interface = UsbDescriptor['configurations'][number]['interfaces'][number];
type Alternate = Interface['alternates'][number];

const bulk = (['in', 'out'] as const).map((direction) => ({
  endpointNumber: 2,
  direction,
  type: 'bulk' as const,
  packetSize: 64,
}));

const alternate = (interfaceClass: number, interfaceSubclass: number, rest: Partial<Alternate> = {}): Alternate => ({
  alternateSetting: 0,
  interfaceClass,
  interfaceSubclass,
  endpoints: [],
  ...rest,
});

function deviceWith(...interfaces: readonly (readonly Alternate[])[]): FakeUsbDevice {
  const descriptor = {
    vendorId: 0xcafe,
    productId: 1,
    configurations: [
      {
        configurationValue: 1,
        interfaces: interfaces.map((alternates, interfaceNumber) => ({ interfaceNumber, alternates })),
      },
    ],
  };
  return new FakeUsbDevice(descriptor, new FakeCdc([], []), { clock });
}

describe('recognition', () => {
  it.each(Object.entries(devices))('finds the UARTs of %s', (name, { uarts }) => {
    const adapter = adapterNames
      .map((one) => fakeAdapter(one, clock))
      .find(({ device }) => device.productId === devices[name]?.productId);
    const found = uartsOf(adapter?.device ?? deviceWith());
    expect(found.map(({ input, output }) => [input.endpointNumber, output.endpointNumber])).toEqual(
      uarts.map((uart) => [uart.in, uart.out]),
    );
  });

  it('finds no port on a storage device, a keyboard, and a network adapter', () => {
    expect(uartsOf(deviceWith([alternate(8, 6, { endpoints: bulk })]))).toEqual([]);
    expect(uartsOf(deviceWith([alternate(3, 1)]))).toEqual([]);
    // Ethernet is a subclass of the same class.
    expect(uartsOf(deviceWith([alternate(2, 6)], [alternate(10, 0, { endpoints: bulk })]))).toEqual([]);
  });

  it('finds endpoints in another alternate setting, and in the interface of the requests', () => {
    const other = deviceWith(
      [alternate(2, 2)],
      [alternate(10, 0), alternate(10, 0, { alternateSetting: 1, endpoints: bulk })],
    );
    expect(uartsOf(other)[0]?.claims).toEqual([
      { interfaceNumber: 0, alternateSetting: 0 },
      { interfaceNumber: 1, alternateSetting: 1 },
    ]);
    const own = deviceWith([alternate(2, 2, { endpoints: bulk })]);
    expect(uartsOf(own)[0]?.claims).toEqual([{ interfaceNumber: 0, alternateSetting: 0 }]);
  });

  it('passes over interfaces of other classes between requests and data', () => {
    const device = deviceWith(
      [alternate(2, 2)],
      [alternate(8, 6, { endpoints: bulk })],
      [alternate(10, 0, { endpoints: bulk })],
    );
    expect(uartsOf(device)[0]?.claims.map(({ interfaceNumber }) => interfaceNumber)).toEqual([0, 2]);
  });

  it('lists makers of chips and boards, and the class', () => {
    expect(usbSerialFilters).toContainEqual({ vendorId: 0x10c4 });
    expect(usbSerialFilters).toContainEqual({ vendorId: 0x303a });
    expect(usbSerialFilters.at(-1)).toEqual({ classCode: 2 });
    expect(new Set(usbSerialFilters.map((filter) => JSON.stringify(filter))).size).toBe(usbSerialFilters.length);
  });
});
