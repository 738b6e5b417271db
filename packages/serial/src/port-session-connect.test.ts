import { defaultPortSettings } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import { SessionError, type SessionFailure } from './session-failure.ts';
import { connected, notices, received, stateOf, testRig } from './testing/test-rig.ts';

const settings = { ...defaultPortSettings, baudRate: 921_600, parity: 'even' } as const;

/** Returns the code and the text of a refusal. */
async function failureOf(work: Promise<unknown>): Promise<[SessionFailure, string]> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof SessionError)) {
    throw new Error('It did not fail as expected', { cause: error });
  }
  return [error.code, error.message];
}

describe('connect', () => {
  it('opens with the settings and a buffer of 1 MiB, then sets DTR on and RTS off in one step', async () => {
    const { bench } = testRig();
    const device = new FakeSerialPort();
    await bench.connect(2, device, settings);
    expect(device.openedWith).toEqual([{ ...settings, bufferSize: 1_048_576 }]);
    expect(device.calls).toEqual(['open 921600 even 1048576', 'lines DTR -']);
    expect(stateOf(bench, 2)).toBe('connected');
    expect(bench.status().ports[2]).toMatchObject({
      settings,
      info: { usbVendorId: 0x10c4, usbProductId: 0xea60 },
      signals: { dtr: true, rts: false },
    });
    expect(notices(bench)).toEqual(['Port 2 connected (921600 8E1)']);
  });

  it('goes through connecting', async () => {
    const { bench, clock } = testRig();
    const device = new FakeSerialPort();
    device.hold('open');
    const connecting = bench.connect(1, device, settings);
    expect(stateOf(bench)).toBe('connecting');
    await clock.settle();
    device.release('open');
    await connecting;
    expect(stateOf(bench)).toBe('connected');
  });

  it('is refused while connected, connecting or disconnecting, and changes nothing', async () => {
    const { bench, clock } = testRig();
    const device = new FakeSerialPort();
    device.hold('open');
    const connecting = bench.connect(1, device, settings);
    expect(await failureOf(bench.connect(1, new FakeSerialPort(), settings))).toEqual([
      'already-connecting',
      'Port 1 is already connecting',
    ]);
    device.release('open');
    await connecting;
    expect(await failureOf(bench.connect(1, new FakeSerialPort(), settings))).toEqual([
      'already-connected',
      'Port 1 is already connected',
    ]);
    device.hold('close');
    const disconnecting = bench.disconnect(1);
    expect(await failureOf(bench.connect(1, device, settings))).toEqual([
      'connect-while-disconnecting',
      'Cannot connect - Port 1 is disconnecting',
    ]);
    await clock.settle();
    device.release('close');
    await disconnecting;
    await bench.connect(1, device, settings);
    expect(stateOf(bench)).toBe('connected');
  });

  it('refuses a device that is open on another port of the bench', async () => {
    const test = testRig();
    const device = await connected(test, 3);
    expect(await failureOf(test.bench.connect(1, device, settings))).toEqual([
      'open-here',
      'Error connecting to Port 1: this board is already open on another port of this page.',
    ]);
    expect(device.calls.filter((call) => call.startsWith('open'))).toHaveLength(1);
  });

  it.each<[Error, SessionFailure, string]>([
    [
      new DOMException('Failed to open serial port.', 'NetworkError'),
      'busy',
      'Error connecting to Port 1: the board could not be opened. Close other programs and tabs that use it, and check that this account may use serial ports.',
    ],
    [
      new DOMException('no permission', 'SecurityError'),
      'permission-denied',
      'Serial permission denied: no permission',
    ],
    [
      new TypeError('Requested baud rate must be greater than zero.'),
      'bad-settings',
      'Error connecting to Port 1: these settings are not supported. Requested baud rate must be greater than zero.',
    ],
    [new Error('something $& else'), 'open-failed', 'Error connecting to Port 1: something $& else'],
  ])('reports why the device did not open: %s', async (cause, code, message) => {
    const { bench, clock } = testRig();
    const device = new FakeSerialPort();
    device.openError = cause;
    const failure = failureOf(bench.connect(1, device, settings));
    await clock.advance(1_000);
    expect(await failure).toEqual([code, message]);
    expect(stateOf(bench)).toBe('disconnected');
    expect(notices(bench)).toEqual([message]);
    device.openError = null;
    await bench.connect(1, device, settings);
    expect(stateOf(bench)).toBe('connected');
  });

  it('opens a device that is free a moment later, without a word about it', async () => {
    const { bench, clock } = testRig();
    const device = new FakeSerialPort();
    device.openError = new DOMException('Failed to open serial port.', 'NetworkError');
    const connecting = bench.connect(1, device, settings);
    await clock.advance(600);
    expect(stateOf(bench)).toBe('connecting');
    device.openError = null;
    await clock.advance(200);
    await connecting;
    expect(stateOf(bench)).toBe('connected');
    expect(notices(bench)).toEqual(['Port 1 connected (921600 8E1)']);
  });

  it('stops waiting for a held device when the opening is cancelled', async () => {
    const { bench, clock } = testRig();
    const device = new FakeSerialPort();
    device.openError = new DOMException('Failed to open serial port.', 'NetworkError');
    const failure = failureOf(bench.connect(1, device, settings));
    await clock.advance(100);
    const disconnecting = bench.disconnect(1);
    await clock.settle();
    await disconnecting;
    await failure;
    const tries = device.calls.length;
    await clock.advance(2_000);
    expect(device.calls).toHaveLength(tries);
    expect(stateOf(bench)).toBe('disconnected');
    expect(clock.pending).toBe(0);
  });

  it('reports that the device is gone', async () => {
    const { bench } = testRig();
    const device = new FakeSerialPort();
    await device.unplug();
    expect((await failureOf(bench.connect(4, device, settings)))[0]).toBe('device-gone');
  });

  it('works with a port that has no control lines, and says so', async () => {
    const { bench, clock } = testRig();
    const device = new FakeSerialPort();
    device.signalsError = new DOMException('Failed to set control signals.', 'NetworkError');
    await bench.connect(1, device, settings);
    device.receive('hello\n');
    await clock.settle();
    expect(received(bench)).toEqual(['hello']);
    expect(bench.status().ports[1].signals).toEqual({ dtr: false, rts: false });
    expect(notices(bench)[0]).toBe('The control lines of Port 1 could not be changed: Failed to set control signals.');
  });

  it('counts from 0 again, but not when the device came back by itself', async () => {
    const test = testRig();
    const { bench, clock } = test;
    const device = await connected(test);
    const { connectedAt } = bench.status().ports[1];
    device.receive('one\ntwo\n');
    await device.fail('BreakError');
    await clock.settle();
    await bench.send(1, new Uint8Array(5));
    await device.unplug();
    await clock.advance(1_000);
    const returned = new FakeSerialPort();
    bench.deviceAppeared(returned);
    await clock.settle();
    returned.receive('three\n');
    await clock.settle();
    const counted = { received: 14, sent: 5, lines: 3, connectedAt, errors: { break: 1 } };
    expect(bench.status().ports[1]).toMatchObject({ state: 'connected', ...counted });
    await bench.disconnect(1);
    expect(bench.status().ports[1]).toMatchObject({ state: 'disconnected', ...counted });
    await bench.connect(1, returned, settings);
    const now = clock.now();
    expect(bench.status().ports[1]).toMatchObject({
      ...{ received: 0, sent: 0, lines: 0, connectedAt: now },
      errors: { break: 0 },
    });
    expect(now).not.toBe(connectedAt);
  });
});

describe('cancelling a connect', () => {
  it('closes the port that opens too late', async () => {
    const { bench, clock } = testRig();
    const device = new FakeSerialPort();
    device.hold('open');
    const failure = failureOf(bench.connect(1, device, settings));
    const disconnecting = bench.disconnect(1);
    expect(stateOf(bench)).toBe('disconnecting');
    await clock.settle();
    device.release('open');
    await disconnecting;
    expect(await failure).toEqual(['cancelled', 'Connecting to Port 1 was cancelled']);
    expect(stateOf(bench)).toBe('disconnected');
    expect(device.calls).toEqual(['open 921600 even 1048576', 'close']);
    expect(device.isOpen).toBe(false);
    expect(clock.pending).toBe(0);
  });

  it('closes the port also when its control lines were being set', async () => {
    const { bench, clock } = testRig();
    const device = new FakeSerialPort();
    device.hold('setSignals');
    const failure = failureOf(bench.connect(1, device, settings));
    await clock.settle();
    const disconnecting = bench.disconnect(1);
    device.release('setSignals');
    await disconnecting;
    expect((await failure)[0]).toBe('cancelled');
    expect(device.isOpen).toBe(false);
    expect(stateOf(bench)).toBe('disconnected');
  });

  it('does not wait for ever for a system that never answers, and closes what it opens later', async () => {
    const { bench, clock } = testRig();
    const device = new FakeSerialPort();
    device.hold('open');
    const failure = failureOf(bench.connect(1, device, settings));
    const disconnecting = bench.disconnect(1);
    await clock.advance(5_000);
    await disconnecting;
    expect(stateOf(bench)).toBe('disconnected');
    expect(notices(bench)).toContain(
      'Port 1 could not be closed. If it stays busy, unplug the board and plug it back in.',
    );
    const another = await connected({ bench, clock });
    device.release('open');
    expect((await failure)[0]).toBe('cancelled');
    expect(device.isOpen).toBe(false);
    expect(another.isOpen).toBe(true);
    expect(stateOf(bench)).toBe('connected');
  });
});

describe('idle', () => {
  it('needs no timer while connected and nothing happens', async () => {
    const test = testRig();
    const device = await connected(test);
    device.receive('ready\n');
    await test.bench.send(1, Uint8Array.of(1));
    await test.clock.settle();
    expect(test.clock.pending).toBe(0);
  });
});
