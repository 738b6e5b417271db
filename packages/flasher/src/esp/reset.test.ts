import { VirtualClock } from '@wirebench/clock';
import { FakeSerialPort } from '@wirebench/port/testing';
import { describe, expect, it } from 'vitest';
import { openBytePort } from '../byte-port.ts';
import { enterBootloader, linkOf, startProgram } from './reset.ts';

const never = new AbortController().signal;

async function rig() {
  const clock = new VirtualClock();
  const device = new FakeSerialPort();
  const port = await openBytePort(device, { baudRate: 115_200 }, clock);
  device.calls.length = 0;
  return { clock, device, port };
}

describe('control lines', () => {
  it('pull EN low, then IO0 while EN rises, and release both', async () => {
    const { clock, device, port } = await rig();
    const playing = enterBootloader(clock, port, 'uart', false, never);
    await clock.advance(99);
    expect(device.calls).toEqual(['lines - RTS']);
    await clock.advance(1);
    expect(device.calls.at(-1)).toBe('lines DTR -');
    await clock.advance(50);
    await playing;
    expect(device.calls.at(-1)).toBe('lines - -');
  });

  it('hold IO0 longer for a board with a slow EN', async () => {
    const { clock, device, port } = await rig();
    const playing = enterBootloader(clock, port, 'uart', true, never);
    await clock.advance(649);
    expect(device.calls.at(-1)).toBe('lines DTR -');
    await clock.advance(1);
    await playing;
  });

  it('ask a chip on its own USB port for its bootloader', async () => {
    const { clock, device, port } = await rig();
    const playing = enterBootloader(clock, port, 'usb-serial-jtag', false, never);
    await clock.advance(1_000);
    await playing;
    const [first, ...rest] = device.calls;
    expect(rest).toEqual(['lines - -', 'lines DTR -', 'lines DTR RTS', 'lines - RTS', 'lines - -']);
    // Both lines are raised at first. Releasing both at once passes through RTS alone, which resets the board.
    expect(first).toBe('lines DTR -');
  });

  it('raise both before the bootloader of a chip on USB OTG, whose program waits for it', async () => {
    const { clock, device, port } = await rig();
    const playing = enterBootloader(clock, port, 'usb-otg', false, never);
    await clock.advance(1_000);
    await playing;
    expect(device.calls).toEqual(['lines - RTS', 'lines DTR RTS', 'lines DTR -', 'lines - -']);
  });

  it('pulse EN, and leave IO0 alone, to start a program', async () => {
    const { clock, device, port } = await rig();
    const playing = startProgram(clock, port, 'uart', never);
    await clock.advance(100);
    await playing;
    expect(device.calls).toEqual(['lines - RTS', 'lines - -']);
  });

  it('are released when it is cancelled', async () => {
    const { clock, device, port } = await rig();
    const abort = new AbortController();
    const playing = enterBootloader(clock, port, 'uart', false, abort.signal);
    await clock.advance(10);
    abort.abort(new Error('enough'));
    await expect(playing).rejects.toThrow('enough');
    expect(device.calls.at(-1)).toBe('lines - -');
  });
});

describe('a port', () => {
  it.each([
    [{ usbVendorId: 0x10c4, usbProductId: 0xea60 }, 'uart'],
    [{}, 'uart'],
    [{ usbVendorId: 0x303a, usbProductId: 0x1001 }, 'usb-serial-jtag'],
    [{ usbVendorId: 0x303a, usbProductId: 0x0002 }, 'usb-otg'],
    [{ usbVendorId: 0x303a, usbProductId: 0x8166 }, 'uart'],
    // Espressif's own bridge (esp-usb-bridge), with any chip behind it.
    [{ usbVendorId: 0x303a, usbProductId: 0x1002 }, 'uart'],
  ] as const)('%o is linked by %s', (info, link) => {
    expect(linkOf(new FakeSerialPort(info))).toBe(link);
  });
});
