import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import { utf8 } from './testing/line-channels.ts';
import { connected, notices, received, stateOf, testRig } from './testing/test-rig.ts';

/** Returns the notices since the port was connected. */
function said(test: ReturnType<typeof testRig>): string[] {
  return notices(test.bench).slice(1);
}

describe('line errors', () => {
  it.each([
    ['FramingError', 'framing', 'Framing error on Port 1. Check the baud rate.'],
    ['ParityError', 'parity', 'Parity error on Port 1. Check the parity and the data bits.'],
    ['BreakError', 'break', 'Break received on Port 1'],
  ] as const)('%s is counted, reported and survived', async (name, count, text) => {
    const test = testRig();
    const device = await connected(test);
    device.receive('before ');
    await device.fail(name);
    await test.clock.settle();
    device.receive('after\n');
    await test.clock.settle();
    expect(received(test.bench)).toEqual(['before after']);
    expect(test.bench.status().ports[1].errors[count]).toBe(1);
    expect(said(test)).toEqual([text]);
    expect(stateOf(test.bench)).toBe('connected');
  });

  it('are reported once in an episode of any length, with their number at its end', async () => {
    const test = testRig();
    const device = await connected(test);
    for (let errors = 0; errors < 10; errors++) {
      await device.fail('FramingError');
      await test.clock.settle();
      await test.clock.advance(5_000);
    }
    expect(said(test)).toEqual(['Framing error on Port 1. Check the baud rate.']);
    expect(test.bench.status().ports[1].errors.framing).toBe(10);
    expect(test.clock.pending).toBe(0);
    await test.clock.advance(60_000);
    await device.fail('FramingError');
    await test.clock.settle();
    expect(said(test).slice(1)).toEqual(['10 framing errors on Port 1. Check the baud rate.']);
  });

  it('are reported at the disconnect if they were not before', async () => {
    const test = testRig();
    const device = await connected(test);
    for (let errors = 0; errors < 3; errors++) {
      await device.fail('ParityError');
      await test.clock.settle();
    }
    await test.bench.disconnect(1);
    expect(said(test)).toContain('2 parity errors on Port 1. Check the parity and the data bits.');
    expect(test.clock.pending).toBe(0);
  });

  it('give other tasks time when they come without a byte between them', async () => {
    const test = testRig();
    const device = await connected(test);
    const broken = (): ReadableStream<Uint8Array> =>
      new ReadableStream({ start: (controller) => controller.error(new DOMException('break', 'BreakError')) });
    Object.defineProperty(device, 'readable', { get: broken, configurable: true });
    await device.fail('BreakError').catch(() => undefined);
    for (let elapsed = 0; elapsed < 1_000; elapsed += 10) {
      await test.clock.advance(10);
    }
    const { break: count } = test.bench.status().ports[1].errors;
    expect(count).toBeGreaterThan(17);
    expect(count).toBeLessThan(150);
  });
});

describe('overrun', () => {
  it('is retried once after 1 s', async () => {
    const test = testRig();
    const device = await connected(test);
    await device.fail('BufferOverrunError');
    await test.clock.settle();
    expect(said(test)).toEqual(['Buffer overflow on Port 1, retrying...']);
    device.receive('waiting\n');
    await test.clock.advance(999);
    expect(received(test.bench)).toEqual([]);
    await test.clock.advance(1);
    expect(received(test.bench)).toEqual(['waiting']);
    expect(test.bench.status().ports[1].errors.overrun).toBe(1);
  });

  it('ends the connection when it happens again', async () => {
    const test = testRig();
    const device = await connected(test);
    await device.fail('BufferOverrunError');
    await test.clock.advance(1_000);
    await device.fail('BufferOverrunError');
    await test.clock.settle();
    expect(said(test)).toEqual([
      'Buffer overflow on Port 1, retrying...',
      'Buffer overflow on Port 1 again. The port was disconnected: the second overflow of a connection ends it, however long after the first. Connect it again.',
      'Port 1 disconnected',
    ]);
    expect(stateOf(test.bench)).toBe('disconnected');
    expect(device.isOpen).toBe(false);
    expect(test.bench.status().ports[1].errors.overrun).toBe(2);
  });

  it.each([11_000, 3_600_000])('ends the connection also when it happens again after %i ms', async (later) => {
    const test = testRig();
    const device = await connected(test);
    await device.fail('BufferOverrunError');
    await test.clock.advance(later);
    device.receive('still here\n');
    await device.fail('BufferOverrunError');
    await test.clock.settle();
    expect(received(test.bench)).toEqual(['still here']);
    expect(said(test)).toContainEqual(expect.stringContaining('however long after the first'));
    expect(stateOf(test.bench)).toBe('disconnected');
  });

  it('is a first one again on the next connection', async () => {
    const test = testRig();
    const device = await connected(test);
    await device.fail('BufferOverrunError');
    await test.clock.advance(1_000);
    await test.bench.disconnect(1);
    const again = await connected(test);
    await again.fail('BufferOverrunError');
    await test.clock.advance(1_000);
    expect(stateOf(test.bench)).toBe('connected');
  });

  it('does not hide that the device vanished while it was waited out', async () => {
    const test = testRig();
    const device = await connected(test);
    await device.fail('BufferOverrunError');
    await test.clock.settle();
    await device.unplug();
    await test.clock.settle();
    expect(stateOf(test.bench)).toBe('reconnecting');
  });

  it('can be disconnected from while it is waited out', async () => {
    const test = testRig();
    const device = await connected(test);
    await device.fail('BufferOverrunError');
    await test.clock.settle();
    await test.bench.disconnect(1);
    expect(device.isOpen).toBe(false);
    expect(test.clock.pending).toBe(0);
  });
});

describe('an error without a remedy', () => {
  it('disconnects, and reports the message of the system', async () => {
    const test = testRig();
    const device = await connected(test);
    device.receive('last words');
    await device.failForGood('UnknownError');
    await test.clock.settle();
    expect(received(test.bench)).toEqual(['last words']);
    expect(said(test)).toEqual([
      'Receiving from Port 1 failed: An unknown system error has occurred.',
      'Port 1 disconnected',
    ]);
    expect(stateOf(test.bench)).toBe('disconnected');
  });
});

describe('a device that vanishes', () => {
  it('is reported, keeps what was read, and is waited for', async () => {
    const test = testRig();
    const device = await connected(test);
    device.receive('read before the cable was pulled');
    await device.unplug();
    await test.clock.settle();
    expect(received(test.bench)).toEqual(['read before the cable was pulled']);
    expect(said(test)).toEqual(['Device disconnected from Port 1']);
    expect(stateOf(test.bench)).toBe('reconnecting');
  });

  it.each([
    ['connection', 'Port 1 closed: the connection to its board was lost for too long'],
    ['taken-back', 'Port 1 was taken back by the host'],
    ['ended', 'Port 1 disconnected'],
    [null, 'Device disconnected from Port 1'],
  ])('is reported with the cause that a remote port observed (%s)', async (lostBy, text) => {
    const test = testRig();
    const device = Object.assign(await connected(test), { timeToAnswer: async () => 0, lostBy });
    await device.unplug();
    await test.clock.settle();
    expect(said(test)).toEqual([text]);
  });

  it('keeps its bytes, and rejects unsent ones, if it vanishes while sending', async () => {
    const test = testRig();
    const device = await connected(test);
    device.hold('write');
    const sends = [test.bench.send(1, utf8('one')), test.bench.send(1, utf8('two'))];
    const outcomes = Promise.allSettled(sends);
    device.receive('answer\n');
    await test.clock.settle();
    await device.unplug({ silently: true });
    device.release('write');
    await test.clock.settle();
    expect((await outcomes).map((outcome) => outcome.status)).toContain('rejected');
    expect(received(test.bench)).toEqual(['answer']);
    expect(said(test)).toEqual(['Device disconnected from Port 1']);
    expect(stateOf(test.bench)).toBe('reconnecting');
  });

  it('is noticed by its event when the reading hangs', async () => {
    const test = testRig();
    const device = await connected(test);
    device.dispatchEvent(new Event('disconnect'));
    expect(stateOf(test.bench)).toBe('connected');
    await test.clock.advance(500);
    expect(stateOf(test.bench)).toBe('reconnecting');
  });

  it('is reported once, whatever else fails with it', async () => {
    const test = testRig();
    const device = await connected(test);
    await device.unplug();
    device.dispatchEvent(new Event('disconnect'));
    await test.clock.advance(5_000);
    expect(said(test)).toEqual(['Device disconnected from Port 1']);
  });
});

describe('sending', () => {
  it('is on the timeline as one line as soon as it is accepted', async () => {
    const test = testRig();
    const device = await connected(test);
    device.hold('write');
    const sending = test.bench.send(1, utf8('a\nb\r\n'));
    const row = test.bench.rows({ layout: 'text', anchor: 'tail', count: 1 }).rows[0];
    expect(row).toMatchObject({ direction: 'sent', port: 1, bytes: utf8('a\nb'), lineLength: 5 });
    device.release('write');
    await sending;
    expect(device.written).toEqual([...utf8('a\nb\r\n')]);
    expect(test.bench.status().ports[1].sent).toBe(5);
  });

  it('is refused, and leaves no line, when the port is not connected', async () => {
    const test = testRig();
    await expect(test.bench.send(2, utf8('x'))).rejects.toMatchObject({
      code: 'not-connected',
      message: 'Port 2 is not connected',
    });
    expect(notices(test.bench)).toEqual(['Port 2 is not connected']);
    expect(test.bench.status().lines).toBe(1);
  });

  it('does nothing without bytes', async () => {
    const test = testRig();
    await connected(test);
    await test.bench.send(1, new Uint8Array());
    expect(test.bench.status().lines).toBe(1);
  });

  it('disconnects when a write fails, and reports it once', async () => {
    const test = testRig();
    const device = await connected(test);
    device.writeError = new DOMException('The write timed out.', 'UnknownError');
    const outcomes = await Promise.allSettled([test.bench.send(1, utf8('1')), test.bench.send(1, utf8('2'))]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await test.clock.settle();
    expect(stateOf(test.bench)).toBe('disconnected');
    expect(said(test)).toContain('Sending to Port 1 failed: The write timed out.');
    expect(said(test).filter((text) => text.startsWith('Sending'))).toHaveLength(1);
  });
});

describe('control lines', () => {
  it('are set together and remembered', async () => {
    const test = testRig();
    const device = await connected(test);
    await test.bench.setSignals(1, { dtr: false, rts: true });
    await test.bench.setSignals(1, { break: true });
    await test.bench.setSignals(1, {});
    expect(device.calls.slice(2)).toEqual(['lines - RTS', 'lines . . break']);
    expect(test.bench.status().ports[1].signals).toEqual({ dtr: false, rts: true });
  });

  it('stay as they were when the port refuses', async () => {
    const test = testRig();
    const device = await connected(test);
    device.signalsError = new DOMException('Failed to set control signals.', 'NetworkError');
    await expect(test.bench.setSignals(1, { rts: true })).rejects.toMatchObject({ code: 'signals-failed' });
    expect(test.bench.status().ports[1].signals).toEqual({ dtr: true, rts: false });
    expect(stateOf(test.bench)).toBe('connected');
  });

  it('are refused when the port is not connected', async () => {
    const { bench } = testRig();
    await expect(bench.setSignals(4, { dtr: true })).rejects.toThrow('Port 4 is not connected');
  });
});

describe('a failure of one port', () => {
  it('leaves the others alone', async () => {
    const test = testRig();
    const [one, two] = [await connected(test, 1), await connected(test, 2, new FakeSerialPort({}))];
    await one.unplug();
    two.receive('still here\n');
    await test.clock.settle();
    expect(received(test.bench, 2)).toEqual(['still here']);
    expect(stateOf(test.bench, 2)).toBe('connected');
  });
});
