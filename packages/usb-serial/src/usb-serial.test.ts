import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { fakeAdapter } from './testing/adapters.ts';
import { echoBoard } from './testing/echo-board.ts';
import { FakeUsbBus } from './testing/fake-usb-bus.ts';
import type { UsbSerialFilter } from './usb-device.ts';
import { portsOf, UsbSerial } from './usb-serial.ts';

async function registry() {
  const clock = new VirtualClock();
  const usb = new FakeUsbBus();
  const serial = new UsbSerial({ usb, clock });
  const fired: string[] = [];
  for (const type of ['connect', 'disconnect'] as const) {
    serial.addEventListener(type, ({ target }) => fired.push(`${type} ${target instanceof EventTarget ? 'port' : ''}`));
  }
  const { device } = fakeAdapter('ft2232h-a', clock);
  usb.plugIn(device);
  await clock.settle();
  return { clock, usb, serial, device, fired };
}

describe('UsbSerial', () => {
  it('gives the same ports for a device each time, and reports each of them', async () => {
    const { clock, usb, serial, device, fired } = await registry();
    const ports = await serial.getPorts();
    expect(ports).toHaveLength(2);
    expect(await serial.getPorts()).toEqual(ports);
    expect(portsOf(device)).toEqual(ports);
    usb.unplug(device);
    await clock.settle();
    expect(fired).toEqual(['connect port', 'connect port', 'disconnect port', 'disconnect port']);
    expect(await serial.getPorts()).toEqual([]);
  });

  it('asks the browser with the filters of serial adapters, or with the vendors that the caller names', async () => {
    const { usb, serial, device } = await registry();
    const asked: (readonly UsbSerialFilter[])[] = [];
    usb.choose = (filters) => {
      asked.push(filters);
      return device;
    };
    const port = await serial.requestPort();
    expect(port.getInfo()).toEqual({ usbVendorId: 0x0403, usbProductId: 0x6010 });
    await serial.requestPort({ filters: [{ usbVendorId: 0x0403, usbProductId: 0x6010 }] });
    expect(asked[0]).toContainEqual({ classCode: 2 });
    expect(asked[1]).toEqual([{ vendorId: 0x0403 }]);
  });

  it('passes on that the list was closed without a choice', async () => {
    const { usb, serial } = await registry();
    usb.choose = () => undefined;
    await expect(serial.requestPort()).rejects.toMatchObject({ name: 'NotFoundError' });
  });

  it('says that this browser has no WebUSB', () => {
    expect(() => new UsbSerial()).toThrow('This browser has no WebUSB.');
  });
});

describe('portsOf', () => {
  it('works without a bus, as in a program', async () => {
    const [port] = portsOf(echoBoard());
    await port?.open({ baudRate: 9_600 });
    const writer = port?.writable?.getWriter();
    await writer?.write(Uint8Array.of(1, 2));
    writer?.releaseLock();
    const reader = port?.readable?.getReader();
    expect((await reader?.read())?.value).toEqual(Uint8Array.of(1, 2));
    reader?.releaseLock();
    await port?.close();
    expect(port?.readable).toBeNull();
  });
});
