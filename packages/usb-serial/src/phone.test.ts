import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it, vi } from 'vitest';
import { PhoneChooser, type PlatformFacts } from './phone-chooser.ts';
import { type PhoneList, PhoneSerial } from './phone-serial.ts';
import { fakeAdapter } from './testing/adapters.ts';
import { FakeUsbBus } from './testing/fake-usb-bus.ts';

/** Web Serial of a phone: a list that the test fills. */
class WebSerial extends EventTarget {
  readonly ports: SerialPort[] = [];
  readonly getPorts = vi.fn(async () => this.ports);
  /** An empty list and a cancelled one reject alike (Web Serial, `requestPort`). */
  readonly requestPort = vi.fn(async () => {
    const [port] = this.ports;
    if (port === undefined) {
      throw new DOMException("Failed to execute 'requestPort' on 'Serial': No port selected.", 'NotFoundError');
    }
    return port;
  });
}

const wiredPort = () => Object.assign(new EventTarget(), { getInfo: () => ({ usbVendorId: 1 }) }) as SerialPort;

function phone({ version = null as string | null, hasSerial = true, worked = null as PhoneList | null } = {}) {
  const clock = new VirtualClock();
  const bus = new FakeUsbBus();
  const requestDevice = vi.spyOn(bus, 'requestDevice');
  const serial = new WebSerial();
  const native = hasSerial ? (serial as unknown as Serial) : undefined;
  const ports = new PhoneSerial({ serial: native, usb: bus, clock });
  const platform: PlatformFacts =
    version === null ? {} : { userAgentData: { getHighEntropyValues: async () => ({ platformVersion: version }) } };
  const memory = {
    list: worked,
    get: () => memory.list,
    set: (list: PhoneList | null) => {
      memory.list = list;
    },
  };
  const chooser = new PhoneChooser({ ports, hasSerial, platform, memory });
  return { clock, bus, requestDevice, serial, ports, chooser, memory };
}

describe('the choice of a port on a phone', () => {
  it('opens one list with each press, and after an empty one of Web Serial the other with one more', async () => {
    const { bus, requestDevice, serial, chooser, clock, memory } = phone({ version: '17.0.0' });
    const { device } = fakeAdapter('cp2102', clock);
    bus.plugIn(device);
    expect(await chooser.choose()).toEqual({ closed: 'serial' });
    expect(await chooser.choose()).toEqual({ closed: 'serial' });
    expect(serial.requestPort).toHaveBeenCalledTimes(2);
    expect(requestDevice).not.toHaveBeenCalled();
    expect(await chooser.choose('usb')).toHaveProperty('port');
    expect(serial.requestPort).toHaveBeenCalledTimes(2);
    expect(requestDevice).toHaveBeenCalledOnce();
    expect(memory.list).toBe('usb');
    await chooser.choose();
    expect(requestDevice).toHaveBeenCalledTimes(2);
    expect(serial.requestPort).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['16.0.0', true, null, 'usb'],
    ['16.0.0', true, 'serial', 'usb'],
    ['17.0.0', true, null, 'serial'],
    ['17.0.0', true, 'usb', 'usb'],
    [null, true, null, 'serial'],
    [null, false, null, 'usb'],
    ['17.0.0', false, null, 'usb'],
  ] as const)(
    'begins on Android %s, with Web Serial %s and %s remembered, with %s',
    async (version, hasSerial, worked, list) => {
      const { chooser, serial, requestDevice, clock } = phone({ version, hasSerial, worked });
      await clock.settle();
      expect(await chooser.choose()).toEqual({ closed: list });
      expect(serial.requestPort).toHaveBeenCalledTimes(list === 'serial' ? 1 : 0);
      expect(requestDevice).toHaveBeenCalledTimes(list === 'usb' ? 1 : 0);
    },
  );

  it('forgets a list that was closed without a choice', async () => {
    const { chooser, memory, bus } = phone({ version: '17.0.0', worked: 'usb' });
    bus.choose = () => undefined;
    expect(await chooser.choose()).toEqual({ closed: 'usb' });
    expect(memory.list).toBeNull();
    expect(await chooser.choose()).toEqual({ closed: 'serial' });
  });

  it('opens no second list while one is open', async () => {
    const { chooser, serial } = phone();
    const open = Promise.withResolvers<SerialPort>();
    serial.requestPort.mockReturnValueOnce(open.promise);
    const first = chooser.choose();
    expect(await chooser.choose()).toEqual({ refused: 'open' });
    expect(await chooser.choose('usb')).toEqual({ refused: 'open' });
    const port = wiredPort();
    open.resolve(port);
    expect(await first).toEqual({ port });
    expect(serial.requestPort).toHaveBeenCalledOnce();
  });

  it('names a device without a serial port, and the next choice works', async () => {
    const { chooser, bus, clock } = phone({ hasSerial: false });
    const { device } = fakeAdapter('cp2102', clock);
    const { device: other } = fakeAdapter('cdc-pico', clock);
    Object.assign(other, { configurations: [{ configurationValue: 1, interfaces: [] }] });
    bus.choose = () => other;
    expect(await chooser.choose()).toEqual({ refused: 'portless' });
    bus.choose = () => device;
    expect(await chooser.choose()).toHaveProperty('port');
  });

  it('passes a refusal of the browser on, and the next choice works', async () => {
    const { chooser, requestDevice, bus, clock } = phone({ hasSerial: false });
    bus.plugIn(fakeAdapter('cp2102', clock).device);
    requestDevice.mockRejectedValueOnce(new DOMException('disallowed by permissions policy', 'SecurityError'));
    await expect(chooser.choose()).rejects.toThrow('disallowed');
    expect(await chooser.choose()).toHaveProperty('port');
  });
});

describe('the ports of a phone', () => {
  it('are those of Web Serial, then those over USB, in the same order each time', async () => {
    const { ports, serial, bus, clock } = phone();
    const wired = wiredPort();
    serial.ports.push(wired);
    const [one, other] = [fakeAdapter('cp2102', clock), fakeAdapter('cp2102', clock)];
    bus.plugIn(one.device);
    bus.plugIn(other.device);
    const list = await ports.getPorts();
    expect(list).toHaveLength(3);
    expect(list[0]).toBe(wired);
    expect(list[1]).not.toBe(list[2]);
    expect((await ports.getPorts()).map((port, at) => port === list[at])).toEqual([true, true, true]);
  });

  it('are those over USB alone where a policy denies Web Serial', async () => {
    const { ports, serial, bus, clock } = phone();
    serial.getPorts.mockRejectedValue(new DOMException('disallowed', 'SecurityError'));
    bus.plugIn(fakeAdapter('cp2102', clock).device);
    expect(await ports.getPorts()).toHaveLength(1);
  });

  it('report a board that a person permits again after it vanished, without an event of the browser', async () => {
    const { ports, bus, clock } = phone({ hasSerial: false });
    const before = fakeAdapter('cdc-pico', clock).device;
    bus.plugIn(before);
    await clock.settle();
    const appeared: EventTarget[] = [];
    const note = ({ target }: Event) => target !== null && appeared.push(target);
    ports.addEventListener('connect', note);
    const [gone] = await ports.getPorts();
    bus.unplug(before);
    await clock.settle();
    expect(gone?.connected).toBe(false);
    const after = fakeAdapter('cdc-pico', clock).device;
    bus.permit(after);
    await vi.waitFor(() => {
      clock.advance(250);
      expect(appeared).toHaveLength(1);
    });
    expect(appeared).toEqual(await ports.getPorts());
    ports.removeEventListener('connect', note);
    bus.plugIn(fakeAdapter('cp2102', clock).device);
    await clock.settle();
    expect(appeared).toHaveLength(1);
  });

  it('report a board once that comes back with an event of the browser', async () => {
    const { ports, bus, clock } = phone({ hasSerial: false });
    const before = fakeAdapter('cdc-pico', clock).device;
    bus.plugIn(before);
    await clock.settle();
    const appeared: (EventTarget | null)[] = [];
    ports.addEventListener('connect', ({ target }) => appeared.push(target));
    bus.unplug(before);
    await clock.settle();
    bus.plugIn(fakeAdapter('cdc-pico', clock).device);
    await clock.settle();
    clock.advance(1_000);
    await clock.settle();
    expect(appeared).toHaveLength(1);
  });
});
