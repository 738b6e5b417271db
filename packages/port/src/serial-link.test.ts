import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { defaultPortSettings } from './port-settings.ts';
import { SerialLink } from './serial-link.ts';
import { FakeSerialPort } from './testing/fake-serial-port.ts';
import { closeLimit } from './time-limit.ts';

/** Opens a port and starts its link, which carries one byte in a millisecond. */
async function linked() {
  const clock = new VirtualClock();
  const device = new FakeSerialPort();
  const settings = { ...defaultPortSettings, baudRate: 10_000 };
  await device.open(settings);
  const link = new SerialLink(
    clock,
    { device, settings, overruns: 'retry-once' },
    { bytes: () => undefined, lineError: () => undefined, overrun: () => undefined, ended: () => undefined },
  );
  link.start();
  return { clock, device, link };
}

/** In each test the driver takes long to report that all bytes have left, as on a busy machine. */
describe('closing a link whose driver drains slowly', () => {
  it('closes an idle port without a wait for the driver', async () => {
    const { clock, device, link } = await linked();
    await link.send(new Uint8Array(10));
    await clock.advance(1_000);
    device.hold('drain');
    const closing = link.close();
    await clock.settle();
    expect(device.isOpen).toBe(false);
    expect(await closing).toEqual({ unsent: 0, closed: true });
  });

  it('waits for the driver after the bytes have left, and then closes the port', async () => {
    const { clock, device, link } = await linked();
    device.hold('drain');
    await link.send(new Uint8Array(10));
    const closing = link.close();
    await clock.advance(closeLimit / 2);
    expect(device.isOpen).toBe(true);
    device.release('drain');
    await clock.advance(2 * closeLimit);
    expect(await closing).toEqual({ unsent: 0, closed: true });
    expect(device.isOpen).toBe(false);
  });

  it('drops bytes that need longer than it waits, and closes the port', async () => {
    const { clock, device, link } = await linked();
    device.hold('drain');
    await link.send(new Uint8Array(100_000));
    const closing = link.close();
    await clock.advance(3_000);
    expect(device.isOpen).toBe(false);
    expect(await closing).toMatchObject({ closed: true });
  });

  it.each(['send', 'drop'] as const)('lets a drain end before it closes the port (%s)', async (unsent) => {
    const { clock, device, link } = await linked();
    device.hold('drain');
    const draining = link.drain();
    const closing = link.close(unsent);
    await clock.advance(closeLimit / 2);
    device.release('drain');
    await draining.catch(() => undefined);
    await clock.advance(2 * closeLimit);
    expect(await closing).toEqual({ unsent: 0, closed: true });
    expect(device.isOpen).toBe(false);
  });

  it('reports a port whose driver never drains as not closed', async () => {
    const { clock, device, link } = await linked();
    device.hold('drain');
    await link.send(new Uint8Array(10));
    const closing = link.close();
    await clock.advance(2 * closeLimit + 1_000);
    expect(await closing).toEqual({ unsent: 0, closed: false });
  });
});
