import { defaultPortSettings } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import type { PortNumber } from './port-number.ts';
import { connected, notices, received, stateOf, type TestRig, testRig } from './testing/test-rig.ts';

const pick = (port: PortNumber) => `The board for Port ${port} could not be identified. Pick it again.`;

/** Returns a device that has just vanished from its port. */
async function waiting(test: TestRig, port: PortNumber = 1, device?: FakeSerialPort): Promise<FakeSerialPort> {
  const lost = await connected(test, port, device);
  await lost.unplug();
  await test.clock.settle();
  expect(stateOf(test.bench, port)).toBe('reconnecting');
  return lost;
}

describe('reconnect', () => {
  it('opens the newcomer of the same kind at once, with the settings of before', async () => {
    const test = testRig();
    const settings = { ...defaultPortSettings, baudRate: 74_880 };
    const device = new FakeSerialPort();
    await test.bench.connect(1, device, settings);
    await device.unplug();
    await test.clock.advance(300);
    expect(test.bench.device(1)).toBeNull();
    const returned = new FakeSerialPort();
    test.bench.deviceAppeared(returned);
    await test.clock.settle();
    expect(stateOf(test.bench)).toBe('connected');
    expect(returned.openedWith).toMatchObject([settings]);
    expect(returned.calls[1]).toBe('lines DTR -');
    returned.receive('boot\n');
    await test.clock.settle();
    expect(received(test.bench)).toEqual(['boot']);
    expect(notices(test.bench).at(-1)).toBe('Port 1 connected again');
    expect(test.bench.device(1)).toBe(returned);
    expect(test.clock.pending).toBe(0);
  });

  it('takes the same device object again, whatever else waits', async () => {
    const test = testRig();
    const lost = await waiting(test, 1, new FakeSerialPort({ bluetoothServiceClassId: 'x' }));
    await waiting(test, 2, new FakeSerialPort({ bluetoothServiceClassId: 'x' }));
    lost.connected = true;
    test.bench.deviceAppeared(lost);
    await test.clock.settle();
    expect(stateOf(test.bench, 1)).toBe('connected');
    expect(stateOf(test.bench, 2)).toBe('reconnecting');
  });

  it('takes the port of the same name, whatever its ids, and of no other name', async () => {
    const test = testRig();
    const named = (portName: string, info: SerialPortInfo = {}) =>
      Object.assign(new FakeSerialPort(info), { portName });
    await waiting(test, 1, named('/dev/hole-1'));
    await waiting(test, 2, named('/dev/hole-2'));
    const [stranger, returned] = [named('/dev/hole-3'), named('/dev/hole-2', { usbVendorId: 0x303a })];
    test.bench.deviceAppeared(stranger);
    test.bench.deviceAppeared(returned);
    await test.clock.settle();
    expect(stranger.calls).toEqual([]);
    expect(stateOf(test.bench, 1)).toBe('reconnecting');
    expect(test.bench.device(2)).toBe(returned);
  });

  it('passes over devices of another kind, and those without ids', async () => {
    const test = testRig();
    await waiting(test);
    await waiting(test, 2, new FakeSerialPort({}));
    const others = [
      new FakeSerialPort({ usbVendorId: 0x303a, usbProductId: 0x1001 }),
      new FakeSerialPort({ usbVendorId: 0x10c4, usbProductId: 0xea61 }),
      new FakeSerialPort({}),
    ];
    for (const device of others) {
      test.bench.deviceAppeared(device);
    }
    await test.clock.settle();
    expect(others.flatMap((device) => device.calls)).toEqual([]);
    expect(stateOf(test.bench, 1)).toBe('reconnecting');
    expect(stateOf(test.bench, 2)).toBe('reconnecting');
  });

  it('does not touch a device that is open on another port', async () => {
    const test = testRig();
    await waiting(test, 1);
    const open = await connected(test, 2);
    test.bench.deviceAppeared(open);
    await test.clock.settle();
    expect(open.calls.filter((call) => call.startsWith('open'))).toHaveLength(1);
    expect(stateOf(test.bench, 1)).toBe('reconnecting');
  });

  it('asks, once, when two ports wait for devices of the same kind', async () => {
    const test = testRig();
    await waiting(test, 1);
    await waiting(test, 2);
    const [one, two] = [new FakeSerialPort(), new FakeSerialPort()];
    test.bench.deviceAppeared(one);
    test.bench.deviceAppeared(two);
    await test.clock.settle();
    expect([...one.calls, ...two.calls]).toEqual([]);
    expect(notices(test.bench).slice(-2)).toEqual([pick(1), pick(2)]);
    await test.bench.connect(1, two, defaultPortSettings);
    expect(stateOf(test.bench, 1)).toBe('connected');
    expect(stateOf(test.bench, 2)).toBe('reconnecting');
  });

  it('asks when a second newcomer of the same kind is there before the first could be opened', async () => {
    const test = testRig();
    await waiting(test);
    const busy = new FakeSerialPort();
    busy.openError = new DOMException('Failed to open serial port.', 'NetworkError');
    test.bench.deviceAppeared(busy);
    await test.clock.settle();
    const second = new FakeSerialPort();
    test.bench.deviceAppeared(second);
    await test.clock.advance(10_000);
    expect(second.calls).toEqual([]);
    expect(stateOf(test.bench)).toBe('reconnecting');
    expect(notices(test.bench).at(-1)).toBe(pick(1));
  });

  it('forgets a newcomer that went again', async () => {
    const test = testRig();
    await waiting(test);
    const first = new FakeSerialPort();
    first.openErrors.push(new DOMException('Failed to open serial port.', 'NetworkError'));
    first.connected = false;
    test.bench.deviceAppeared(first);
    await test.clock.settle();
    const second = new FakeSerialPort();
    test.bench.deviceAppeared(second);
    await test.clock.settle();
    expect(second.isOpen).toBe(true);
    expect(stateOf(test.bench)).toBe('connected');
  });

  it('tries again within a second when the system is not ready for the device yet', async () => {
    const test = testRig();
    await waiting(test);
    const slow = new FakeSerialPort();
    const error = () => new DOMException('Failed to open serial port.', 'NetworkError');
    slow.openErrors.push(error(), error(), error());
    test.bench.deviceAppeared(slow);
    await test.clock.advance(1_000);
    expect(stateOf(test.bench)).toBe('connected');
    expect(notices(test.bench).filter((text) => text.startsWith('Error'))).toEqual([]);
    expect(test.clock.pending).toBe(0);
  });

  it('opens a device that another program held for long soon after it is free', async () => {
    const test = testRig();
    await waiting(test);
    const held = new FakeSerialPort();
    const error = () => new DOMException('Failed to open serial port.', 'NetworkError');
    held.openError = error();
    test.bench.deviceAppeared(held);
    await test.clock.advance(40_000);
    expect(stateOf(test.bench)).toBe('reconnecting');
    held.openError = null;
    await test.clock.advance(2_000);
    expect(stateOf(test.bench)).toBe('connected');
  });

  it('asks when the device may not be opened', async () => {
    const test = testRig();
    await waiting(test);
    const forbidden = new FakeSerialPort();
    forbidden.openErrors.push(new DOMException('no permission', 'SecurityError'));
    test.bench.deviceAppeared(forbidden);
    await test.clock.settle();
    expect(notices(test.bench).at(-1)).toBe(pick(1));
    expect(stateOf(test.bench)).toBe('reconnecting');
  });

  it('ends after 60 s', async () => {
    const test = testRig();
    await waiting(test);
    await test.clock.advance(59_999);
    expect(stateOf(test.bench)).toBe('reconnecting');
    await test.clock.advance(1);
    expect(stateOf(test.bench)).toBe('disconnected');
    expect(notices(test.bench).at(-1)).toBe(
      'The board on Port 1 did not come back within 60 s. Plug it in and connect again.',
    );
    const late = new FakeSerialPort();
    test.bench.deviceAppeared(late);
    await test.clock.settle();
    expect(late.calls).toEqual([]);
    expect(test.clock.pending).toBe(0);
  });

  it('leaves a device closed that opens after the wait ended', async () => {
    const test = testRig();
    await waiting(test);
    const slow = new FakeSerialPort();
    slow.hold('open');
    test.bench.deviceAppeared(slow);
    await test.clock.advance(60_000);
    expect(stateOf(test.bench)).toBe('disconnected');
    slow.release('open');
    await test.clock.settle();
    expect(slow.isOpen).toBe(false);
    expect(stateOf(test.bench)).toBe('disconnected');
  });

  it.each([
    ['cancelReconnect', (test: TestRig) => test.bench.cancelReconnect(1)],
    ['disconnect', (test: TestRig) => test.bench.disconnect(1)],
    ['the setting', (test: TestRig) => test.bench.setReconnect(1, false)],
  ])('is cancelled by %s', async (_, cancel) => {
    const test = testRig();
    await waiting(test);
    await cancel(test);
    expect(stateOf(test.bench)).toBe('disconnected');
    expect(notices(test.bench).at(-1)).toBe('Stopped waiting for the board on Port 1');
    expect(test.clock.pending).toBe(0);
  });

  it('gives way to a manual choice of the board, also while it is being opened', async () => {
    const test = testRig();
    await waiting(test);
    const returned = new FakeSerialPort();
    returned.hold('open');
    test.bench.deviceAppeared(returned);
    await test.clock.settle();
    const connecting = test.bench.connect(1, returned, defaultPortSettings);
    await test.clock.settle();
    returned.release('open');
    await connecting;
    expect(stateOf(test.bench)).toBe('connected');
    expect(returned.isOpen).toBe(true);
    expect(test.clock.pending).toBe(0);
  });

  it('can be switched off for one port, and happens on the others', async () => {
    const test = testRig();
    test.bench.setReconnect(1, false);
    await waiting(test, 2);
    expect(stateOf(test.bench, 2)).toBe('reconnecting');
    const device = await connected(test);
    await device.unplug();
    await test.clock.settle();
    expect(stateOf(test.bench)).toBe('disconnected');
    expect(notices(test.bench).at(-1)).toBe('Device disconnected from Port 1');
    expect(stateOf(test.bench, 2)).toBe('reconnecting');
  });

  it('does not happen when it is switched off', async () => {
    const test = testRig({ reconnect: false });
    const device = await connected(test);
    await device.unplug();
    await test.clock.settle();
    expect(stateOf(test.bench)).toBe('disconnected');
    expect(test.clock.pending).toBe(0);
  });

  it('reports that a device did not come back, until one is connected', async () => {
    const test = testRig();
    await waiting(test);
    const notBack = () => test.bench.status().ports[1].notBack;
    expect(notBack()).toBe(false);
    await test.clock.advance(60_000);
    expect(notBack()).toBe(true);
    await connected(test);
    expect(notBack()).toBe(false);
    await waiting(test, 2);
    test.bench.cancelReconnect(2);
    expect(test.bench.status().ports[2].notBack).toBe(false);
  });

  it('refuses sends while it waits', async () => {
    const test = testRig();
    await waiting(test);
    await expect(test.bench.send(1, new Uint8Array(1))).rejects.toThrow('Port 1 is not connected');
  });
});
