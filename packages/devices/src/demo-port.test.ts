import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { loadLineCount, loadLines } from './chatty/load-stream.ts';
import { createDemoPort, type DemoPortOptions, demoUsbIds } from './demo-port.ts';
import { SimulatedSerial } from './port/simulated-serial.ts';
import { SimulatedSerialPort } from './port/simulated-serial-port.ts';
import { present, readOn } from './testing/port-fixture.ts';

function demo(options: Partial<DemoPortOptions> = {}) {
  const clock = new VirtualClock();
  const sent: number[] = [];
  const port = createDemoPort({
    model: 'chatty',
    clock,
    onTransmit: (bytes, received) => {
      if (received) {
        for (const byte of bytes) {
          sent.push(byte);
        }
      }
    },
    ...options,
  });
  return { clock, demo: port, sent };
}

async function type(port: SerialPort, text: string): Promise<void> {
  const writer = present(port.writable).getWriter();
  await writer.write(new TextEncoder().encode(text));
  writer.releaseLock();
}

describe('demo port', () => {
  it('is a simulated port with the ids of a CP2102', async () => {
    const { port, serial } = demo().demo;
    expect(present(port)).toBeInstanceOf(SimulatedSerialPort);
    expect(present(port).getInfo()).toEqual(demoUsbIds);
    expect(await serial.getPorts()).toEqual([port]);
  });

  it('starts when it is first opened, with the lines that a terminal sets', async () => {
    const { clock, demo: device } = demo();
    await clock.advance(10_000);
    expect(device.transmitted).toBe(0);
    const port = present(device.port);
    await port.open({ baudRate: 115_200, bufferSize: 1_048_576 });
    await port.setSignals({ dataTerminalReady: true, requestToSend: false });
    const reading = readOn(port);
    await clock.advance(1_000);
    expect(new TextDecoder().decode(Uint8Array.from(reading.bytes()))).toMatch(/^ets .*demo> $/s);
  });

  it.each(['wire', 'none'] as const)('gives the page exactly what it put on the wire (pace %s)', async (pace) => {
    const { clock, demo: device, sent } = demo({ pace, baudRate: 921_600, seed: 4 });
    const port = present(device.port);
    await port.open({ baudRate: 921_600 });
    const reading = readOn(port);
    await clock.advance(500);
    await type(port, 'load 80000 3\r');
    await clock.advance(4_000);
    expect(reading.errors).toEqual([]);
    expect(Buffer.from(reading.bytes()).equals(Buffer.from(sent))).toBe(true);
    expect(sent.length).toBe(device.transmitted);
    const stream = Buffer.from(loadLines(0, loadLineCount(80_000, 3), 4));
    expect(Buffer.from(reading.bytes()).includes(stream)).toBe(true);
  });

  it('pauses its load generator while the page does not read, and loses nothing', async () => {
    const { clock, demo: device, sent } = demo({ pace: 'none' });
    const port = present(device.port);
    await port.open({ baudRate: 115_200, bufferSize: 65_536 });
    await clock.advance(500);
    await type(port, 'load 4000000 1\r');
    await clock.advance(10_000);
    expect(device.transmitted).toBeLessThanOrEqual(65_536);
    const reading = readOn(port);
    await clock.advance(10_000);
    expect(reading.bytes().length).toBe(sent.length);
    const stream = Buffer.from(loadLines(0, loadLineCount(4_000_000, 1), 1));
    expect(Buffer.from(reading.bytes()).includes(stream)).toBe(true);
  });

  it('carries four ports at 921600 baud side by side, each with its own text', async () => {
    const clock = new VirtualClock();
    const serial = new SimulatedSerial();
    const readings = [];
    for (const seed of [1, 2, 3, 4]) {
      const port = present(createDemoPort({ model: 'chatty', clock, seed, serial, baudRate: 921_600 }).port);
      await port.open({ baudRate: 921_600, bufferSize: 1_048_576 });
      readings.push(readOn(port));
      await clock.advance(300);
      await type(port, 'load 92160 2\r');
    }
    expect((await serial.getPorts()).length).toBe(4);
    await clock.advance(3_000);
    for (const [index, reading] of readings.entries()) {
      const stream = Buffer.from(loadLines(0, loadLineCount(92_160, 2), index + 1));
      expect(Buffer.from(reading.bytes()).includes(stream)).toBe(true);
    }
  });

  it('shows rubbish at a wrong rate, and the same rubbish again', async () => {
    const rubbish = async () => {
      const { clock, demo: device } = demo();
      const port = present(device.port);
      await port.open({ baudRate: 9_600 });
      const reading = readOn(port);
      await clock.advance(1_000);
      return { bytes: reading.bytes(), errors: reading.errors };
    };
    const once = await rubbish();
    expect(once.bytes.length).toBeGreaterThan(10);
    expect(once.errors).toContain('FramingError');
    expect(await rubbish()).toEqual(once);
  });

  it('boots again behind another port when it is plugged in again', async () => {
    const { clock, demo: device } = demo();
    const first = present(device.port);
    await first.open({ baudRate: 115_200 });
    await clock.advance(1_000);
    device.unplug();
    expect(device.port).toBeNull();
    const before = device.transmitted;
    await clock.advance(1_000);
    device.replug();
    const second = present(device.port);
    expect(second).not.toBe(first);
    await second.open({ baudRate: 115_200 });
    const reading = readOn(second);
    await clock.advance(1_000);
    expect(new TextDecoder().decode(Uint8Array.from(reading.bytes()))).toMatch(/POWERON_RESET.*demo> $/s);
    expect(device.transmitted).toBe(before + reading.bytes().length);
  });
});
