import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { type OverrunPolicy, type ReadEnd, ReadLoop } from './read-loop.ts';
import { FakeSerialPort } from './testing/fake-serial-port.ts';

/** Starts a loop and records its events. */
async function reading(overruns: OverrunPolicy, room: () => Promise<void> | null = () => null) {
  const clock = new VirtualClock();
  const device = new FakeSerialPort();
  await device.open({ baudRate: 9_600 });
  const events: string[] = [];
  const loop = new ReadLoop(device, clock, overruns, {
    bytes: (bytes) => events.push(`bytes ${[...bytes].join(' ')}`),
    room,
    lineError: (kind) => events.push(kind),
    overrun: (final) => events.push(final ? 'last overrun' : 'overrun'),
  });
  let end: ReadEnd | null = null;
  const ended = loop.run().then((how) => {
    end = how;
  });
  return { clock, device, events, loop, ended, end: () => end };
}

describe('read loop', () => {
  it('passes each chunk on as it came, and reads on after an error of the line', async () => {
    const { clock, device, events } = await reading('retry-once');
    device.receive(Uint8Array.of(1, 2));
    device.receive(Uint8Array.of(3));
    await device.fail('FramingError');
    await clock.settle();
    device.receive(Uint8Array.of(4));
    await clock.settle();
    expect(events).toEqual(['bytes 1 2', 'bytes 3', 'framing', 'bytes 4']);
  });

  it('pauses for a second after the first overrun with retry-once, and ends with the second', async () => {
    const { clock, device, events, ended, end } = await reading('retry-once');
    await device.fail('BufferOverrunError');
    device.receive(Uint8Array.of(1));
    await clock.advance(999);
    expect(events).toEqual(['overrun']);
    await clock.advance(1);
    expect(events).toEqual(['overrun', 'bytes 1']);
    await device.fail('BufferOverrunError');
    await ended;
    expect(events.at(-1)).toBe('last overrun');
    expect(end()).toEqual({ reason: 'overrun' });
  });

  it('waits for room before it reads, and ends without it when it is stopped', async () => {
    let room = Promise.withResolvers<void>();
    const { clock, device, events, loop, ended, end } = await reading('retry-once', () => room.promise);
    device.receive(Uint8Array.of(1));
    await clock.settle();
    expect(events).toEqual([]);
    const before = room;
    room = Promise.withResolvers();
    before.resolve();
    await clock.settle();
    expect(events).toEqual(['bytes 1']);
    device.receive(Uint8Array.of(2));
    await clock.settle();
    await loop.stop();
    await ended;
    expect(events).toEqual(['bytes 1']);
    expect(end()).toEqual({ reason: 'stopped' });
    expect(device.readable?.locked).toBe(false);
  });

  it('does not wait after an overrun with read-on', async () => {
    const { clock, device, events, end } = await reading('read-on');
    for (let overruns = 0; overruns < 3; overruns++) {
      await device.fail('BufferOverrunError');
      await clock.settle();
    }
    device.receive(Uint8Array.of(1));
    await clock.settle();
    expect(events).toEqual(['overrun', 'overrun', 'overrun', 'bytes 1']);
    expect(clock.now()).toBe(0);
    expect(end()).toBeNull();
  });

  it.each<[string, (device: FakeSerialPort) => Promise<void>, Partial<ReadEnd>]>([
    ['the device is unplugged', (device) => device.unplug(), { reason: 'lost' }],
    ['the system reports another error', (device) => device.failForGood('UnknownError'), { reason: 'receive-failed' }],
  ])('ends when %s, with the message of the system', async (_name, cause, expected) => {
    const { device, ended, end } = await reading('retry-once');
    await cause(device);
    await ended;
    expect(end()).toMatchObject({ ...expected, error: expect.any(DOMException) });
    expect(device.readable?.locked ?? false).toBe(false);
  });

  it('ends when it is stopped, also in a pause', async () => {
    const { clock, device, loop, ended, end } = await reading('retry-once');
    await device.fail('BufferOverrunError');
    await clock.settle();
    await loop.stop();
    await ended;
    expect(end()).toEqual({ reason: 'stopped' });
    expect(clock.pending).toBe(0);
  });
});
