import { VirtualClock } from '@wirebench/clock';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import { openBytePort } from './byte-port.ts';

async function opened(settings: { baudRate: number; parity?: ParityType } = { baudRate: 115_200 }) {
  const clock = new VirtualClock();
  const device = new FakeSerialPort();
  return { clock, device, port: await openBytePort(device, settings, clock) };
}

/** Collects bytes until there are `wanted` of them. */
function count(wanted: number) {
  const bytes: number[] = [];
  return (chunk: Uint8Array) => {
    bytes.push(...chunk);
    return bytes.length >= wanted ? bytes : undefined;
  };
}

describe('byte port', () => {
  it('opens with a buffer of 1 MiB and the given parity', async () => {
    const { device } = await opened({ baudRate: 57_600, parity: 'even' });
    expect(device.calls).toEqual(['open 57600 even 1048576']);
  });

  it('counts eleven bits a byte with parity', async () => {
    expect((await opened({ baudRate: 110_000, parity: 'even' })).port.wireTime(10)).toBe(1);
    expect((await opened({ baudRate: 100_000 })).port.wireTime(10)).toBe(1);
  });

  it('gives arriving bytes as soon as they are complete, in pieces and joined', async () => {
    const { clock, device, port } = await opened();
    const reading = port.until(count(3), 1_000);
    device.receive(Uint8Array.of(1));
    await clock.advance(400);
    device.receive(Uint8Array.of(2, 3));
    await clock.settle();
    expect(await reading).toEqual([1, 2, 3]);
    expect(clock.now()).toBe(400);
    expect(clock.pending).toBe(0);
  });

  it('keeps bytes that arrive without a waiting reader', async () => {
    const { clock, device, port } = await opened();
    device.receive(Uint8Array.of(1, 2));
    await clock.settle();
    expect(await port.until(count(2), 1_000)).toEqual([1, 2]);
  });

  it('gives null on a timeout, and continues afterwards', async () => {
    const { clock, device, port } = await opened();
    const reading = port.until(count(1), 250);
    await clock.advance(250);
    expect(await reading).toBeNull();
    device.receive(Uint8Array.of(7));
    await clock.settle();
    expect(await port.until(count(1), 250)).toEqual([7]);
  });

  it('rejects with the reason of a signal', async () => {
    const { clock, port } = await opened();
    const abort = new AbortController();
    const reading = port.until(count(1), 250, abort.signal);
    abort.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    expect(clock.pending).toBe(0);
  });

  it('rejects with an error of the bytes, and reads on', async () => {
    const { clock, device, port } = await opened();
    const reading = port.until(() => {
      throw new RangeError('too long');
    }, 250);
    reading.catch(() => 'looked at below');
    device.receive(Uint8Array.of(1));
    await clock.settle();
    await expect(reading).rejects.toThrow('too long');
    device.receive(Uint8Array.of(2));
    await clock.settle();
    expect(await port.until(count(1), 250)).toEqual([2]);
    expect(clock.pending).toBe(0);
  });

  it('sends a block with one write', async () => {
    const { clock, device, port } = await opened();
    port.write(new Uint8Array(16_384));
    await clock.settle();
    expect(device.writes.map((bytes) => bytes.length)).toEqual([16_384]);
  });

  it.each([
    ['reading fails', {}],
    ['reading hangs', { hangs: true }],
  ])('ends a waiting reader within a second when the device is gone and %s', async (_name, how) => {
    const { clock, device, port } = await opened();
    const reading = port.until(count(1), 60_000).catch((error: unknown) => error);
    void device.unplug(how);
    await clock.advance(1_000);
    expect(await reading).toMatchObject({ name: 'PortError', code: 'unplugged' });
    expect(port.over.aborted).toBe(true);
    await expect(port.until(count(1), 1)).rejects.toMatchObject({ code: 'unplugged' });
  });

  it('reads bytes that came before the device vanished', async () => {
    const { clock, device, port } = await opened();
    device.receive(Uint8Array.of(1));
    await clock.settle();
    void device.unplug();
    await clock.advance(1_000);
    expect(await port.until(count(1), 1)).toEqual([1]);
  });

  it('reads bytes that came before a write failed for the same reason', async () => {
    const { clock, device, port } = await opened();
    device.writeError = new DOMException('The device has been lost.', 'NetworkError');
    port.write(Uint8Array.of(1));
    await clock.settle();
    device.receive(Uint8Array.of(2));
    await clock.settle();
    expect(await port.until(count(1), 1)).toEqual([2]);
    await clock.advance(500);
    await expect(port.until(count(1), 1)).rejects.toMatchObject({ code: 'unplugged' });
  });

  it('ends at once when a write fails for any other reason', async () => {
    const { clock, device, port } = await opened();
    device.writeError = new DOMException('The write timed out.', 'UnknownError');
    port.write(Uint8Array.of(1));
    await clock.settle();
    await expect(port.until(count(1), 1)).rejects.toMatchObject({ code: 'port-failed' });
  });

  it('reads on at once, however many overruns there are', async () => {
    const { clock, device, port } = await opened();
    for (let overruns = 1; overruns <= 3; overruns++) {
      await device.fail('BufferOverrunError');
      await clock.settle();
      device.receive(Uint8Array.of(overruns));
      await clock.settle();
      expect(await port.until(count(1), 1)).toEqual([overruns]);
    }
    expect(port.lineErrors).toBe(3);
  });

  it.each(['FramingError', 'ParityError', 'BreakError', 'BufferOverrunError'] as const)(
    'reads on after a %s',
    async (name) => {
      const { clock, device, port } = await opened();
      await device.fail(name);
      await clock.settle();
      device.receive(Uint8Array.of(5));
      await clock.settle();
      expect(await port.until(count(1), 100)).toEqual([5]);
      expect(port.lineErrors).toBe(1);
    },
  );

  it('changes the rate by closing and opening, and reads on', async () => {
    const { clock, device, port } = await opened();
    await port.reopen({ baudRate: 921_600 });
    expect(device.calls).toEqual(['open 115200 none 1048576', 'close', 'open 921600 none 1048576']);
    expect(port.baudRate).toBe(921_600);
    device.receive(Uint8Array.of(5));
    await clock.settle();
    expect(await port.until(count(1), 100)).toEqual([5]);
  });

  it('stays open when the driver does not know the new rate', async () => {
    const { clock, device, port } = await opened();
    device.refusedRates.add(3_000_000);
    await expect(port.reopen({ baudRate: 3_000_000 })).rejects.toMatchObject({ code: 'open-failed' });
    expect(port.baudRate).toBe(115_200);
    device.receive(Uint8Array.of(5));
    await clock.settle();
    expect(await port.until(count(1), 100)).toEqual([5]);
  });

  it('stays closed when it is closed while it opens again', async () => {
    const { clock, device, port } = await opened();
    device.hold('open');
    const reopening = port.reopen({ baudRate: 921_600 });
    await clock.settle();
    await port.close();
    device.release('open');
    await expect(reopening).rejects.toMatchObject({ name: 'AbortError' });
    expect(device.isOpen).toBe(false);
    expect(clock.pending).toBe(0);
  });

  it('waits five seconds for a system that does not release the port, and no longer', async () => {
    const { clock, device, port } = await opened();
    device.hold('close');
    let isClosed = false;
    const closing = port.close().then(() => {
      isClosed = true;
    });
    await clock.advance(4_999);
    expect(isClosed).toBe(false);
    await clock.advance(1);
    await closing;
  });

  it('closes the device when it is closed, and leaves no timer', async () => {
    const { clock, device, port } = await opened();
    await port.close();
    expect(device.calls.at(-1)).toBe('close');
    expect(device.readable).toBeNull();
    expect(clock.pending).toBe(0);
  });

  it.each([
    ['NetworkError', 'port-busy'],
    ['SecurityError', 'permission-denied'],
    ['NotFoundError', 'port-gone'],
    ['NotSupportedError', 'open-failed'],
    ['UnknownError', 'open-failed'],
  ])('explains the opening error %s', async (name, code) => {
    const device = new FakeSerialPort();
    device.openError = new DOMException('no', name);
    const clock = new VirtualClock();
    const refused = expect(openBytePort(device, { baudRate: 115_200 }, clock)).rejects.toMatchObject({ code });
    await clock.advance(1_000);
    await refused;
  });
});
