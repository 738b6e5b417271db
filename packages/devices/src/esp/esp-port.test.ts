import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { createDemoPort } from '../demo-port.ts';
import { isEspModel, modelNames } from '../models.ts';
import { present, readOn } from '../testing/port-fixture.ts';
import { EspDevice } from './esp-device.ts';
import { createEspPort } from './esp-port.ts';
import type { EspDeviceOptions } from './options.ts';
import { framed, request, syncData, words } from './testing/esp-host.ts';

function plugged(options: EspDeviceOptions) {
  const clock = new VirtualClock(1_000);
  const demo = createEspPort(new EspDevice(options), { clock });
  return { clock, demo, device: demo.device, port: present(demo.port) };
}

async function send(port: SerialPort, bytes: Uint8Array): Promise<void> {
  const writer = present(port.writable).getWriter();
  await writer.write(bytes);
  writer.releaseLock();
}

const text = (bytes: readonly number[]) => new TextDecoder().decode(Uint8Array.from(bytes));
/** The sequence for a chip's own USB, as in esptool. RTS comes first, or opening would be followed by a reset. */
const usbSequence = [
  { requestToSend: false },
  { dataTerminalReady: false },
  { dataTerminalReady: true, requestToSend: false },
  { requestToSend: true },
  { dataTerminalReady: false },
  { requestToSend: true },
  { dataTerminalReady: false },
  { requestToSend: false },
];

describe('a chip behind a bridge', () => {
  it('is reset through setSignals as a browser changes the lines', async () => {
    const { clock, device, port } = plugged({ chip: 'esp32' });
    expect(port.getInfo()).toEqual({ usbVendorId: 0x10c4, usbProductId: 0xea60 });
    await port.open({ baudRate: 115_200 });
    const reading = readOn(port);
    await port.setSignals({ dataTerminalReady: false, requestToSend: true });
    await clock.advance(100);
    expect(device.state).toBe('held');
    await port.setSignals({ dataTerminalReady: true, requestToSend: false });
    await clock.advance(50);
    await port.setSignals({ dataTerminalReady: false, requestToSend: false });
    await clock.advance(20);
    expect(text(reading.bytes())).toMatch(/waiting for download\r\n$/);
    expect(device.state).toBe('download');
  });

  it('comes back by itself after an unplug by fault', async () => {
    const fault = { at: 'sync', kind: 'unplug', replugAfter: 250 } as const;
    const { clock, demo, device, port } = plugged({ chip: 'esp32', powerUp: 'download', faults: [fault] });
    await port.open({ baudRate: 115_200 });
    await clock.advance(50);
    await send(port, framed(request(0x08, syncData, 0)));
    await clock.advance(50);
    expect(demo.port).toBeNull();
    expect(device.state).toBe('off');
    await clock.advance(300);
    expect(demo.port).not.toBe(port);
    expect(device.state).toBe('download');
  });
});

describe('a chip on its own USB', () => {
  it('is reset by the sequence for it, at 800 kB/s whatever the rate', async () => {
    const { clock, device, port } = plugged({ chip: 'esp32c3', connection: 'usb-jtag' });
    expect(port.getInfo()).toEqual({ usbVendorId: 0x303a, usbProductId: 0x1001 });
    await port.open({ baudRate: 300 });
    const reading = readOn(port);
    for (const signals of usbSequence) {
      await port.setSignals(signals);
      await clock.advance(20);
    }
    expect(text(reading.bytes())).toContain('rst:0x15 (USB_UART_CHIP_RESET),boot:0x5 (DOWNLOAD(USB/UART0/1))');
    expect(device.state).toBe('download');
    expect(device.link).toEqual({ kind: 'usb', bytesPerSecond: 800_000 });
    await send(port, framed(request(0x0a, words(0x3fcdf07c), 0)));
    await clock.advance(5);
    expect(reading.bytes().slice(-14, -5)).toEqual([0xc0, 1, 0x0a, 4, 0, 3, 0, 0, 0]);
  });

  it('is not reset by opening, by closing, or by the classic sequence', async () => {
    const { clock, device, port } = plugged({ chip: 'esp32c3', connection: 'usb-jtag' });
    await clock.advance(1_000);
    await port.open({ baudRate: 115_200 });
    await port.close();
    expect(device.state).toBe('running');
  });

  it('vanishes at a reset and comes back in download mode, when the option says so', async () => {
    const { clock, demo, device, port } = plugged({ chip: 'esp32s3', connection: 'usb-jtag', reenumerate: 400 });
    const events: string[] = [];
    demo.serial.addEventListener('connect', () => events.push('connect'));
    demo.serial.addEventListener('disconnect', () => events.push('disconnect'));
    await port.open({ baudRate: 115_200 });
    for (const signals of usbSequence.slice(0, -1)) {
      await port.setSignals(signals);
      await clock.advance(20);
    }
    await port.setSignals({ requestToSend: false });
    await clock.advance(10);
    expect(demo.port).toBeNull();
    await clock.advance(450);
    expect(events).toEqual(['disconnect', 'connect']);
    expect(demo.port).not.toBe(port);
    expect(device.state).toBe('download');
  });

  it('is restarted by its watchdog through registers', async () => {
    const { clock, device, port } = plugged({ chip: 'esp32c3', connection: 'usb-jtag', powerUp: 'download' });
    await port.open({ baudRate: 115_200 });
    await clock.advance(50);
    for (const [address, value] of [
      [0x600080a8, 0x50d83aa1],
      [0x60008094, 2_000],
      [0x60008090, 0xd0000102],
      [0x600080a8, 0],
    ] as const) {
      await send(port, framed(request(0x09, words(address, value, 0xffffffff, 0), 0)));
      await clock.advance(5);
    }
    expect(device.state).toBe('download');
    await clock.advance(1_000);
    expect(device.state).toBe('running');
  });
});

describe('demo ports of Espressif chips', () => {
  it.each(modelNames.filter(isEspModel))('%s says hello when it is opened', async (model) => {
    const clock = new VirtualClock(1_000);
    const demo = createDemoPort({ model, clock, seed: 2 });
    await clock.advance(1_000);
    expect(demo.transmitted).toBe(0);
    const port = present(demo.port);
    await port.open({ baudRate: 115_200 });
    const reading = readOn(port);
    await clock.advance(2_000);
    const hello = model === 'esp32-crashed' ? /core dump kept in flash\.\r\n$/ : /with its factory firmware\.\r\n$/;
    expect(text(reading.bytes())).toMatch(hello);
  });

  it('keep their flash when they are plugged in again', async () => {
    const clock = new VirtualClock(1_000);
    const demo = createDemoPort({ model: 'esp32', clock });
    const { device } = demo;
    if (!(device instanceof EspDevice)) {
      throw new Error('a chip was expected');
    }
    const before = device.flash.read(0x10000, 64);
    demo.unplug();
    demo.replug();
    expect(device.flash.read(0x10000, 64)).toEqual(before);
    expect(before[0]).toBe(0xe9);
  });
});
