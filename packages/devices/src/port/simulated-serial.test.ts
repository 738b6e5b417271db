import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { errorOf, pluggedIn, present, SilentDevice } from '../testing/port-fixture.ts';
import { SimulatedSerial } from './simulated-serial.ts';

describe('simulated registry of ports', () => {
  it('learns of a port with the port as target, after the port itself, in both forms of listening', async () => {
    const { serial, port, bridge } = pluggedIn();
    const events: unknown[] = [];
    serial.ondisconnect = (event) => events.push('registry handler', event.target === port);
    serial.addEventListener('disconnect', (event) => events.push('registry', event.target === port), { once: true });
    port.ondisconnect = (event) => events.push('port handler', event.target === port);
    port.addEventListener('disconnect', (event) => events.push('port', event.target === port));
    bridge.unplug();
    await Promise.resolve();
    expect(events).toEqual(['port handler', true, 'port', true, 'registry handler', true, 'registry', true]);
  });

  it('receives nothing when a listener at the port stops the event', async () => {
    const { serial, port, bridge } = pluggedIn();
    let received = false;
    serial.ondisconnect = () => {
      received = true;
    };
    port.ondisconnect = (event) => event.stopPropagation();
    bridge.unplug();
    await Promise.resolve();
    expect(received).toBe(false);
  });

  it('keeps the order of its ports, and leaves out what is unplugged', async () => {
    const clock = new VirtualClock();
    const serial = new SimulatedSerial();
    const bridges = [1, 2, 3].map((usbProductId) =>
      serial.plugIn({ device: new SilentDevice(), clock, usbVendorId: 1, usbProductId }),
    );
    const ids = async () => (await serial.getPorts()).map((port) => port.getInfo().usbProductId);
    expect(await ids()).toEqual([1, 2, 3]);
    bridges[1]?.unplug();
    expect(await ids()).toEqual([1, 3]);
    bridges[1]?.replug();
    expect(await ids()).toEqual([1, 2, 3]);
  });

  it('offers the ports that fit a filter, permitted or not, and permits the one that is chosen', async () => {
    const clock = new VirtualClock();
    const serial = new SimulatedSerial((ports) => ports.at(-1) ?? null);
    const plug = (usbVendorId: number, usbProductId: number, permission: boolean) =>
      serial.plugIn({ device: new SilentDevice(), clock, usbVendorId, usbProductId, permission });
    plug(1, 1, true);
    plug(1, 2, false);
    plug(2, 2, false);
    expect((await serial.getPorts()).length).toBe(1);
    const chosen = await serial.requestPort({ filters: [{ usbVendorId: 1 }] });
    expect(chosen.getInfo()).toEqual({ usbVendorId: 1, usbProductId: 2 });
    expect(await serial.getPorts()).toContain(chosen);
    expect(await errorOf(serial.requestPort({ filters: [{ usbVendorId: 7 }] }))).toBe(
      "NotFoundError: Failed to execute 'requestPort' on 'Serial': No port selected by the user.",
    );
  });

  it('refuses filters that cannot be', async () => {
    const serial = new SimulatedSerial();
    for (const filter of [{}, { usbProductId: 1 }, { usbVendorId: 1, bluetoothServiceClassId: 2 }]) {
      expect(await errorOf(serial.requestPort({ filters: [filter] }))).toMatch(/^TypeError: /);
    }
  });

  it('fires no event for a device that comes back without permission, until it is asked for', async () => {
    const { serial, bridge } = pluggedIn();
    let connects = 0;
    serial.onconnect = () => {
      connects++;
    };
    bridge.replug({ permission: false });
    await Promise.resolve();
    expect(connects).toBe(0);
    expect(await serial.getPorts()).toEqual([]);
    const again = await serial.requestPort();
    await again.open({ baudRate: 9600 });
    expect(await serial.getPorts()).toEqual([again]);
  });

  it('lets one program have a port at a time', async () => {
    const { port, bridge } = pluggedIn();
    const release = bridge.holdElsewhere();
    expect(await errorOf(port.open({ baudRate: 9600 }))).toMatch(/^NetworkError: .*Failed to open serial port\.$/);
    release();
    await port.open({ baudRate: 9600 });
    expect(() => bridge.holdElsewhere()).toThrow('held already');
    await port.close();
    expect(() => bridge.holdElsewhere()).not.toThrow();
  });

  it('gives a device that comes back new power and another port', async () => {
    const { serial, port, bridge, device } = pluggedIn();
    await port.open({ baudRate: 9600 });
    const line = device.line;
    bridge.unplug();
    expect(device.line).toBeNull();
    bridge.replug({ usbProductId: 0x1001 });
    expect(device.line).not.toBeNull();
    expect(device.line).not.toBe(line);
    const back = present((await serial.getPorts())[0]);
    expect(back).not.toBe(port);
    expect(back.getInfo()).toEqual({ usbVendorId: 0x10c4, usbProductId: 0x1001 });
  });
});
