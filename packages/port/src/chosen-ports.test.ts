import { VirtualClock } from '@wirebench/clock';
import { ChattyBoard, SimulatedSerial } from '@wirebench/devices';
import { describe, expect, it } from 'vitest';
import { pluggedAgain, returnedPort } from './chosen-ports.ts';

/** A browser with these boards plugged in and permitted. */
async function browserWith(...products: number[]) {
  const serial = new SimulatedSerial();
  const clock = new VirtualClock();
  const bridges = products.map((usbProductId) =>
    serial.plugIn({ device: new ChattyBoard(), clock, usbVendorId: 0x303a, usbProductId }),
  );
  for (const bridge of bridges) {
    bridge.permit();
  }
  return { serial, bridges, ports: await serial.getPorts() };
}

describe('a board that vanishes', () => {
  it('is found when it comes back as another port, and no other board is taken for it', async () => {
    const { serial, bridges, ports } = await browserWith(1, 2);
    const [before, other] = ports;
    bridges[0]?.unplug();
    const returned = returnedPort(serial, before as SerialPort, [other as SerialPort], new AbortController().signal);
    bridges[0]?.replug();
    const port = await returned;
    expect(port).not.toBe(before);
    expect(port).toBe(bridges[0]?.port);
  });

  it('is found by its name where its ids are others or unknown', async () => {
    const { serial, bridges, ports } = await browserWith(1);
    bridges[0]?.unplug();
    const isNamed = (port: SerialPort) => port === bridges[0]?.port;
    const returned = returnedPort(serial, ports[0] as SerialPort, [], new AbortController().signal, isNamed);
    bridges[0]?.replug({ usbVendorId: 0x1a86, usbProductId: 1 });
    expect(await returned).toBe(bridges[0]?.port);
  });

  it('is given up when its wait is ended', async () => {
    const { serial, bridges, ports } = await browserWith(1);
    bridges[0]?.unplug();
    const late = new AbortController();
    const returned = returnedPort(serial, ports[0] as SerialPort, [], late.signal);
    late.abort(new DOMException('late', 'TimeoutError'));
    await expect(returned).rejects.toThrow('late');
  });
});

describe('a board that is plugged in again', () => {
  it('is found by its ids, unless two boards have them', async () => {
    const { serial, bridges, ports } = await browserWith(1, 2);
    expect(await pluggedAgain(serial, ports[0] as SerialPort)).toBe(ports[0]);
    bridges[0]?.unplug();
    expect(await pluggedAgain(serial, ports[0] as SerialPort)).toBeNull();
    bridges[0]?.replug();
    expect(await pluggedAgain(serial, ports[0] as SerialPort)).toBe(bridges[0]?.port);
    bridges[1]?.replug({ usbVendorId: 0x303a, usbProductId: 1 });
    bridges[0]?.replug();
    expect(await pluggedAgain(serial, ports[0] as SerialPort)).toBeNull();
  });
});
