import { describe, expect, it } from 'vitest';
import { errorOf, pluggedIn, present, readOn } from '../testing/port-fixture.ts';
import type { FaultPlan } from './faults.ts';
import { uartLink } from './link.ts';

/** Sends 500 bytes in each direction under a plan. Returns everything that the page sees. */
async function run(faults: FaultPlan, seed = 1) {
  const { clock, port, device } = pluggedIn({ faults, seed });
  await port.open({ baudRate: 115_200 });
  const { chunks, errors, bytes } = readOn(port);
  const sent = Uint8Array.from({ length: 500 }, (_, at) => at & 0xff);
  device.line?.write(sent);
  const writer = port.writable?.getWriter();
  writer?.write(sent).catch(() => 'unplugged by plan');
  await clock.advance(1_000);
  return {
    chunks,
    errors,
    received: bytes(),
    deviceGot: [...device.got],
    damaged: [...device.damaged],
    sent: [...sent],
  };
}

describe('faults', () => {
  it('fall on the same bytes under the same seed, and on others under another', async () => {
    const plan: FaultPlan = {
      toHost: { drop: 0.05, flip: 0.05, delay: [0, 20] },
      toDevice: { drop: 0.05, flip: 0.05, delay: 3 },
    };
    const first = await run(plan, 7);
    expect(await run(plan, 7)).toEqual(first);
    expect((await run(plan, 8)).received).not.toEqual(first.received);
    expect((await run({ toHost: { drop: 0.05 } }, 7)).deviceGot).toEqual(first.sent);
  });

  it('drop bytes', async () => {
    const { received, deviceGot, sent } = await run({ toHost: { drop: 0.1 } });
    expect(received.length).toBeGreaterThan(400);
    expect(received.length).toBeLessThan(490);
    expect(deviceGot).toEqual(sent);
  });

  it('drop the same bytes whether bits flip as well or not', async () => {
    const dropped = await run({ toDevice: { drop: 0.1 } });
    const both = await run({ toDevice: { drop: 0.1, flip: 0.1 } });
    expect(both.deviceGot.length).toBe(dropped.deviceGot.length);
    expect(both.deviceGot).not.toEqual(dropped.deviceGot);
  });

  it('flip one bit of a byte', async () => {
    const { received, sent } = await run({ toHost: { flip: 0.1 } });
    const differences = received.map((byte, at) => byte ^ (sent[at] ?? 0)).filter((bits) => bits !== 0);
    expect(received.length).toBe(500);
    expect(differences.length).toBeGreaterThan(20);
    expect(differences.every((bits) => (bits & (bits - 1)) === 0)).toBe(true);
  });

  it('flip bits that the port notices with parity', async () => {
    const { clock, port, device } = pluggedIn({
      link: uartLink(115_200, { parity: 'even' }),
      faults: { toHost: { flip: 1 }, toDevice: { flip: 1 } },
    });
    await port.open({ baudRate: 115_200, parity: 'even' });
    const reading = readOn(port);
    device.sends(1, 2, 3);
    await present(port.writable).getWriter().write(Uint8Array.of(1, 2));
    await clock.advance(10);
    expect(reading.errors).toContain('ParityError');
    expect(reading.bytes()).toEqual([]);
    expect(device.damaged).toEqual(['parity', 'parity']);
  });

  it('delay bytes without changing their order', async () => {
    const { clock, port, device } = pluggedIn({ pace: 'none', faults: { toHost: { delay: [10, 50] } } });
    await port.open({ baudRate: 115_200 });
    const reading = readOn(port);
    for (let byte = 0; byte < 20; byte++) {
      device.sends(byte);
    }
    await clock.advance(9);
    expect(reading.bytes()).toEqual([]);
    await clock.advance(42);
    expect(reading.bytes()).toEqual(Array.from({ length: 20 }, (_, byte) => byte));
  });

  it('delay bytes without more arriving than the host has room for', async () => {
    const { clock, port, device, bridge } = pluggedIn({ pace: 'none', faults: { toHost: { delay: 50 } } });
    await port.open({ baudRate: 115_200, bufferSize: 100 });
    device.line?.write(new Uint8Array(1_000));
    await clock.advance(1_000);
    expect(bridge.transmitted).toBe(100);
    const reading = readOn(port);
    await clock.advance(1_000);
    expect(reading.bytes().length).toBe(1_000);
  });

  it('split reads at every byte', async () => {
    const { chunks, received, sent } = await run({ splitReads: true });
    expect(chunks.length).toBe(500);
    expect(received).toEqual(sent);
  });

  it('report errors of the line at their byte', async () => {
    const { clock, port, device } = pluggedIn({
      faults: {
        errors: [
          { after: 2, error: 'framing' },
          { after: 2, error: 'break' },
          { after: 5, error: 'overrun' },
        ],
      },
    });
    await port.open({ baudRate: 115_200 });
    device.sends(1, 2, 3, 4, 5, 6);
    await clock.advance(10);
    const seen: unknown[] = [];
    for (let turn = 0; turn < 6; turn++) {
      const reader = present(port.readable).getReader();
      seen.push(
        await reader.read().then(
          ({ value }) => [...present(value)],
          (error: DOMException) => error.name,
        ),
      );
      reader.releaseLock();
    }
    expect(seen).toEqual([[1, 2], 'FramingError', 'BreakError', [3, 4, 5], 'BufferOverrunError', [6]]);
  });

  it('pull the cable after exactly so many bytes to the host', async () => {
    const { received, errors, sent } = await run({ toHost: { unplugAfter: 123 } });
    expect(received).toEqual(sent.slice(0, 123));
    expect(errors).toEqual(['NetworkError']);
  });

  it('pull the cable with the last byte, not with one that never comes', async () => {
    const { clock, port, device } = pluggedIn({ faults: { toHost: { unplugAfter: 2 } } });
    await port.open({ baudRate: 115_200 });
    const reading = readOn(port);
    device.sends(1, 2);
    await clock.advance(10);
    expect(reading.bytes()).toEqual([1, 2]);
    expect(reading.errors).toEqual(['NetworkError']);
  });

  it('pull the cable after exactly so many bytes to the device', async () => {
    const { deviceGot, errors, sent } = await run({ toDevice: { unplugAfter: 77 } });
    expect(deviceGot).toEqual(sent.slice(0, 77));
    expect(errors).toEqual(['NetworkError']);
  });

  it('pull the cable once, not again when the device has come back', async () => {
    const { clock, port, bridge, device } = pluggedIn({
      faults: { toHost: { unplugAfter: 2 }, replug: { after: 10 } },
    });
    await port.open({ baudRate: 115_200 });
    device.sends(1, 2, 3);
    await clock.advance(100);
    const back = present(bridge.port);
    expect(back).not.toBe(port);
    await back.open({ baudRate: 115_200 });
    const reading = readOn(back);
    device.sends(1, 2, 3);
    await clock.advance(100);
    expect(reading.bytes()).toEqual([1, 2, 3]);
    expect(reading.errors).toEqual([]);
  });

  it('pull the cable at a time after open, once, and put it back as planned', async () => {
    const { clock, serial, port, bridge } = pluggedIn({
      faults: { unplugAfterTime: 100, replug: { after: 250, usbProductId: 0x0042 } },
    });
    const events: string[] = [];
    serial.ondisconnect = () => events.push(`gone at ${clock.now()}`);
    serial.onconnect = () => events.push(`back at ${clock.now()}`);
    await clock.advance(50);
    await port.open({ baudRate: 9600 });
    await clock.advance(1_000);
    expect(events).toEqual(['gone at 150', 'back at 400']);
    const back = present(bridge.port);
    expect(back.getInfo().usbProductId).toBe(0x0042);
    await back.open({ baudRate: 9600 });
    await clock.advance(1_000);
    expect(back.connected).toBe(true);
  });

  it('keep a port from opening, as often as planned', async () => {
    const busy = pluggedIn({ faults: { open: { failure: 'busy', attempts: 2 } } }).port;
    expect(await errorOf(busy.open({ baudRate: 9600 }))).toMatch(/^NetworkError/);
    expect(await errorOf(busy.open({ baudRate: 9600 }))).toMatch(/^NetworkError/);
    expect(await errorOf(busy.open({ baudRate: 9600 }))).toBe('no error');
    const denied = pluggedIn({ faults: { open: { failure: 'denied' } } }).port;
    expect(await errorOf(denied.open({ baudRate: 9600 }))).toMatch(/^NetworkError/);
    const blocked = pluggedIn({ faults: { open: { failure: 'blocked' } } }).port;
    expect(await errorOf(blocked.open({ baudRate: 9600 }))).toMatch(/^SecurityError/);
  });

  it('make opening slow enough for the device to vanish during it', async () => {
    const { clock, port, bridge } = pluggedIn({ faults: { openDelay: 100 } });
    const opening = errorOf(port.open({ baudRate: 9600 }));
    await clock.advance(50);
    bridge.unplug();
    await clock.advance(50);
    expect(await opening).toMatch(/^NetworkError/);
    expect(port.readable).toBeNull();
  });
});
