import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { openBytePort } from './byte-port.ts';
import { ScriptedPort } from './testing/scripted-port.ts';

async function opened(settings: { baudRate: number; parity?: ParityType } = { baudRate: 115_200 }) {
  const clock = new VirtualClock();
  const device = new ScriptedPort();
  return { clock, device, port: await openBytePort(device, settings, clock) };
}

/** Takes bytes until there are `count` of them. */
function count(wanted: number) {
  const bytes: number[] = [];
  return (chunk: Uint8Array) => {
    bytes.push(...chunk);
    return bytes.length >= wanted ? bytes : undefined;
  };
}

describe('byte port', () => {
  it('opens with a buffer of 1 MiB and the parity that is asked for', async () => {
    const { device } = await opened({ baudRate: 57_600, parity: 'even' });
    expect(device.calls).toEqual(['open 57600 even 1048576']);
  });

  it('counts eleven bits a byte with parity', async () => {
    expect((await opened({ baudRate: 110_000, parity: 'even' })).port.wireTime(10)).toBe(1);
    expect((await opened({ baudRate: 100_000 })).port.wireTime(10)).toBe(1);
  });

  it('gives what arrives as soon as it is complete, in pieces and joined', async () => {
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

  it('keeps what arrives while nobody waits', async () => {
    const { clock, device, port } = await opened();
    device.receive(Uint8Array.of(1, 2));
    await clock.settle();
    expect(await port.until(count(2), 1_000)).toEqual([1, 2]);
  });

  it('gives null when the time is over, and goes on afterwards', async () => {
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

  it('sends a block with one write', async () => {
    const { clock, device, port } = await opened();
    port.write(new Uint8Array(16_384));
    await clock.settle();
    expect(device.writes.map((bytes) => bytes.length)).toEqual([16_384]);
  });

  it.each(['loud', 'silent'] as const)(
    'tells a waiting reader within a second that the device is gone (%s)',
    async (how) => {
      const { clock, device, port } = await opened();
      const reading = port.until(count(1), 60_000).catch((error: unknown) => error);
      device.unplug(how);
      await clock.advance(1_000);
      expect(await reading).toMatchObject({ name: 'PortError', code: 'unplugged' });
      expect(port.over.aborted).toBe(true);
      await expect(port.until(count(1), 1)).rejects.toMatchObject({ code: 'unplugged' });
    },
  );

  it('reads what came before the device vanished', async () => {
    const { clock, device, port } = await opened();
    device.receive(Uint8Array.of(1));
    await clock.settle();
    device.unplug();
    await clock.advance(1_000);
    expect(await port.until(count(1), 1)).toEqual([1]);
  });

  it.each(['FramingError', 'ParityError', 'BreakError', 'BufferOverrunError'] as const)(
    'reads on after a %s',
    async (name) => {
      const { clock, device, port } = await opened();
      device.lineError(name);
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

  it('is open as before when the driver does not know the new rate', async () => {
    const { clock, device, port } = await opened();
    device.refusedRates.add(3_000_000);
    await expect(port.reopen({ baudRate: 3_000_000 })).rejects.toMatchObject({ code: 'open-failed' });
    expect(port.baudRate).toBe(115_200);
    device.receive(Uint8Array.of(5));
    await clock.settle();
    expect(await port.until(count(1), 100)).toEqual([5]);
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
    ['UnknownError', 'open-failed'],
  ])('says what a %s of opening means', async (name, code) => {
    const device = new ScriptedPort();
    device.openError = new DOMException('no', name);
    await expect(openBytePort(device, { baudRate: 115_200 }, new VirtualClock())).rejects.toMatchObject({ code });
  });
});
