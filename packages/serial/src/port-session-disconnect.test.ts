import { defaultPortSettings } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import { utf8 } from './testing/line-channels.ts';
import { connected, notices, received, stateOf, testRig } from './testing/test-rig.ts';

describe('disconnect', () => {
  it('stops reading, closes the port and says so', async () => {
    const test = testRig();
    const device = await connected(test);
    await test.bench.disconnect(1);
    expect(device.isOpen).toBe(false);
    expect(stateOf(test.bench)).toBe('disconnected');
    expect(test.bench.status().ports[1].signals).toEqual({ dtr: false, rts: false });
    expect(notices(test.bench)).toEqual(['Port 1 connected (115200 8N1)', 'Port 1 disconnected']);
    expect(test.clock.pending).toBe(0);
  });

  it('is refused when there is nothing to disconnect', async () => {
    const { bench } = testRig();
    await expect(bench.disconnect(3)).rejects.toMatchObject({
      code: 'not-connected',
      message: 'Port 3 is not connected',
    });
  });

  it('twice is the same as once', async () => {
    const test = testRig();
    const device = await connected(test);
    device.hold('close');
    const first = test.bench.disconnect(1);
    const second = test.bench.disconnect(1);
    await test.clock.settle();
    device.release('close');
    await Promise.all([first, second]);
    expect(device.calls.filter((call) => call === 'close')).toHaveLength(1);
    expect(stateOf(test.bench)).toBe('disconnected');
  });

  it('refuses to send or to set control lines while it goes on', async () => {
    const test = testRig();
    const device = await connected(test);
    device.hold('close');
    const disconnecting = test.bench.disconnect(1);
    await expect(test.bench.send(1, utf8('late'))).rejects.toThrow('Cannot send data - Port 1 is disconnecting');
    await expect(test.bench.setSignals(1, { dtr: false })).rejects.toThrow(
      'Cannot change signals - Port 1 is disconnecting',
    );
    await test.clock.settle();
    device.release('close');
    await disconnecting;
    expect(device.written).toEqual([]);
  });

  it('lets the last bytes leave the wire before it closes', async () => {
    const { bench, clock } = testRig();
    const device = new FakeSerialPort();
    await bench.connect(1, device, { ...defaultPortSettings, baudRate: 9_600 });
    await bench.send(1, new Uint8Array(960));
    const disconnecting = bench.disconnect(1);
    await clock.advance(999);
    expect(device.isOpen).toBe(true);
    await clock.advance(1 + 50);
    await disconnecting;
    expect(device.isOpen).toBe(false);
    expect(notices(bench).at(-1)).toBe('Port 1 disconnected');
  });

  it('does not wait for bytes that have left the wire already', async () => {
    const { bench, clock } = testRig();
    const device = await connected({ bench, clock });
    await bench.send(1, new Uint8Array(100));
    await clock.advance(1_000);
    await bench.disconnect(1);
    expect(device.isOpen).toBe(false);
  });

  it('waits for a write that the device has not taken yet', async () => {
    const { bench, clock } = testRig();
    const device = await connected({ bench, clock });
    device.hold('write');
    const sending = bench.send(1, utf8('slow'));
    const disconnecting = bench.disconnect(1);
    await clock.settle();
    device.release('write');
    await clock.advance(60);
    await disconnecting;
    await sending;
    expect(device.isOpen).toBe(false);
    expect(device.written).toEqual([...utf8('slow')]);
  });

  it('waits no longer than the bytes need on the wire, and says how many were not sent', async () => {
    const { bench, clock } = testRig();
    const device = await connected({ bench, clock });
    device.hold('write');
    const outcomes = Promise.allSettled([5_000, 6_520].map((bytes) => bench.send(1, new Uint8Array(bytes))));
    const disconnecting = bench.disconnect(1);
    await clock.advance(1_000 + 50);
    expect(stateOf(bench)).toBe('disconnecting');
    device.release('write');
    await disconnecting;
    expect(await outcomes).toMatchObject([
      { status: 'fulfilled' },
      {
        status: 'rejected',
        reason: { message: 'Sending to Port 1 failed: The port was closed before all was sent.' },
      },
    ]);
    expect(device.written).toHaveLength(5_000);
    expect(notices(bench)).toContain('6520 bytes were not sent before Port 1 was closed');
  });

  it('does not keep a person waiting for a long file', async () => {
    const { bench, clock } = testRig();
    const device = await connected({ bench, clock });
    await bench.send(1, new Uint8Array(1_000_000));
    const disconnecting = bench.disconnect(1);
    await clock.advance(3_000);
    await disconnecting;
    expect(device.isOpen).toBe(false);
  });

  it('reports a close that hangs, and lets the port be connected to another device', async () => {
    const { bench, clock } = testRig();
    const device = await connected({ bench, clock });
    device.hold('close');
    const disconnecting = bench.disconnect(1);
    await clock.advance(5_000);
    await disconnecting;
    expect(notices(bench)).toContain(
      'Port 1 could not be closed. If it stays busy, unplug the board and plug it back in.',
    );
    await connected({ bench, clock });
    expect(stateOf(bench)).toBe('connected');
  });

  it('is not held up by a reading that cannot be cancelled', async () => {
    const { bench, clock } = testRig();
    const device = await connected({ bench, clock });
    device.hold('cancel');
    const disconnecting = bench.disconnect(1);
    await clock.advance(5_000);
    await disconnecting;
    expect(stateOf(bench)).toBe('disconnected');
  });

  it('ends the open line: what the next connection brings begins a new one', async () => {
    const { bench, clock } = testRig();
    const device = await connected({ bench, clock });
    device.receive('half');
    await clock.settle();
    await bench.disconnect(1);
    await bench.connect(1, device, defaultPortSettings);
    device.receive('new\n');
    await clock.settle();
    expect(received(bench)).toEqual(['half', 'new']);
  });
});

describe('dispose', () => {
  it('closes every port and leaves no timer', async () => {
    const test = testRig();
    const devices = [await connected(test, 1), await connected(test, 2)];
    const lost = await connected(test, 3);
    await lost.unplug();
    await test.clock.settle();
    expect(stateOf(test.bench, 3)).toBe('reconnecting');
    await test.bench.dispose();
    expect(devices.map((device) => device.isOpen)).toEqual([false, false]);
    expect(stateOf(test.bench, 3)).toBe('disconnected');
    expect(test.clock.pending).toBe(0);
  });
});
