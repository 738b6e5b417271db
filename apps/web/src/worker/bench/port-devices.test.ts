import { VirtualClock } from '@wirebench/clock';
import { ChattyBoard, type SimulatedBridge, SimulatedSerial } from '@wirebench/devices';
import type { UsbDevice } from '@wirebench/flasher/family';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type PortPlace, permittedPlaces } from '../../hardware/permitted-ports.ts';
import { PortDevices } from './port-devices.ts';

const options = { baudRate: 115_200 };

describe('devices behind the ports', () => {
  let clock: VirtualClock;
  let bridges: SimulatedBridge[];
  let devices: PortDevices;
  let places: PortPlace[];
  beforeEach(async () => {
    const serial = new SimulatedSerial();
    clock = new VirtualClock();
    bridges = [1, 1, 2].map((usbProductId) =>
      serial.plugIn({ device: new ChattyBoard(), clock, usbVendorId: 0x10c4, usbProductId }),
    );
    vi.stubGlobal('navigator', { serial });
    devices = new PortDevices(clock, () => undefined);
    places = await permittedPlaces();
  });
  afterEach(() => vi.unstubAllGlobals());

  const opens = async (_port: SerialPort): Promise<void> => undefined;
  const attach = async (number: 1 | 2 | 3, index: number, connect = opens) => {
    const place = places[index] as PortPlace;
    const { promise, resolve } = Promise.withResolvers<SerialPort>();
    await devices.attach(number, { kind: 'serial', place }, 115_200, (port) => {
      resolve(port);
      return connect(port);
    });
    return promise;
  };

  it('know which USB device belongs to no port, also of a board that has left its port', async () => {
    const ids = { vendorId: 0x2e8a, productId: 0x0003 };
    const listed = [1, 2, 3].map(() => ({ ...ids }) as unknown as UsbDevice);
    const bus = Object.assign(new EventTarget(), { getDevices: async () => listed });
    vi.stubGlobal('navigator', { ...navigator, usb: bus });
    const placed = (index: number) => ({ index, count: 3, ...ids });
    await devices.takeUsb(1, { kind: 'usb', place: placed(0) });
    const [, second] = listed;
    if (second !== undefined) {
      devices.usbBeside(2)?.gone(second);
    }
    expect(await Promise.all([0, 1, 2].map((index) => devices.isUsbFree(placed(index))))).toEqual([false, false, true]);
    listed.pop();
    expect(await devices.isUsbFree(placed(2))).toBe(false);
  });

  it('show the simulated board of a demo device to benchmarks, and of no other', async () => {
    await devices.take(1, { kind: 'demo', model: 'esp32-lab' }, 115_200);
    await attach(2, 1);
    expect(devices.simulatedBoard(1)).toHaveProperty('flash');
    expect(devices.simulatedBoard(2)).toBeNull();
    expect(devices.simulatedBoard(3)).toBeNull();
  });

  it('are the boards that were picked', async () => {
    expect(await attach(1, 1)).toBe(bridges[1]?.port);
    expect(devices.facts(1)).toEqual({ kind: 'serial', plugged: true });
    expect(devices.facts(2)).toBeNull();
  });

  it('cannot be had from a list that is old', async () => {
    bridges[0]?.unplug();
    await expect(attach(1, 1)).rejects.toThrow('pick the port again');
    expect(devices.facts(1)).toBeNull();
  });

  it('stay what they were when another one could not be opened in their place', async () => {
    const first = await attach(1, 0);
    await first.open(options);
    const refused = attach(1, 1, () => Promise.reject(new Error('Port 1 is already connected')));
    await expect(refused).rejects.toThrow('already connected');
    expect(devices.opened(1, first.getInfo())).toBe(first);
    await expect(attach(2, 1, () => Promise.reject(new Error('busy')))).rejects.toThrow('busy');
    expect(devices.facts(2)).toBeNull();
  });

  it('are found again when a board came back as another object', async () => {
    const old = await attach(1, 0);
    await old.open(options);
    bridges[0]?.unplug();
    await old.close();
    bridges[0]?.replug();
    const back = bridges[0]?.port;
    if (!back) {
      throw new Error('The board has not come back.');
    }
    devices.appeared(back);
    expect(devices.opened(1, back.getInfo())).toBeNull();
    await back.open(options);
    expect(devices.opened(1, back.getInfo())).toBe(back);
  });

  it('are awaited when they vanish, also while the browser has not said so yet', async () => {
    const old = await attach(1, 0);
    bridges[0]?.unplug();
    expect(old.connected).toBe(true);
    const returned = devices.returned(1, new AbortController().signal);
    await clock.advance(1);
    bridges[0]?.replug();
    const back = bridges[0]?.port;
    if (!back) {
      throw new Error('The board has not come back.');
    }
    devices.appeared(back);
    expect(await returned).toBe(back);
    expect(back).not.toBe(old);
  });

  it('ask a person on a phone while work waits for a board, as long as a session waits', async () => {
    let changes = 0;
    devices = new PortDevices(
      clock,
      () => undefined,
      () => changes++,
    );
    await attach(1, 0);
    expect(devices.returning(1).personWait).toBe(0);
    const userAgent = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/156.0 Mobile Safari/537.36';
    const bus = Object.assign(new EventTarget(), { getDevices: async () => [] });
    vi.stubGlobal('navigator', { serial: navigator.serial, userAgent, usb: bus });
    const returning = devices.returning(1);
    expect(returning.personWait).toBe(60_000);
    bridges[0]?.unplug();
    const back = returning(new AbortController().signal);
    expect(devices.facts(1)).toMatchObject({ kind: 'serial', isAwaited: true });
    expect(changes).toBe(1);
    await clock.advance(1);
    bridges[0]?.replug();
    devices.appeared(bridges[0]?.port as SerialPort);
    expect(await back).toBe(bridges[0]?.port);
    expect(devices.facts(1)?.isAwaited).toBeUndefined();
    expect(changes).toBe(2);
  });

  it('ask no more after the wait was given up', async () => {
    const userAgent = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/156.0 Mobile Safari/537.36';
    const bus = Object.assign(new EventTarget(), { getDevices: async () => [] });
    await attach(1, 0);
    vi.stubGlobal('navigator', { serial: navigator.serial, userAgent, usb: bus });
    bridges[0]?.unplug();
    const stop = new AbortController();
    const back = devices.returning(1)(stop.signal);
    stop.abort(new Error('stopped'));
    await expect(back).rejects.toThrow('stopped');
    expect(devices.facts(1)?.isAwaited).toBeUndefined();
  });

  it('are never the board of another port, however alike', async () => {
    const first = await attach(1, 0);
    const second = await attach(2, 1);
    await second.open(options);
    devices.appeared(second);
    expect(devices.opened(1, first.getInfo())).toBeNull();
    expect(devices.opened(2, first.getInfo())).toBe(second);
  });
});
