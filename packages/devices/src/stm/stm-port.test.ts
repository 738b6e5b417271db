import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { createDemoPort } from '../demo-port.ts';
import { isEspModel, isStmModel, modelNames } from '../models.ts';
import { present, readOn } from '../testing/port-fixture.ts';
import { type StmDeviceOptions, stmPartNames } from './options.ts';
import { StmDevice } from './stm-device.ts';
import { createStmPort } from './stm-port.ts';

function plugged(options: StmDeviceOptions) {
  const clock = new VirtualClock(1_000);
  const demo = createStmPort(new StmDevice(options), { clock });
  return { clock, demo, device: demo.device, port: present(demo.port) };
}

async function send(port: SerialPort, ...bytes: readonly number[]): Promise<void> {
  const writer = present(port.writable).getWriter();
  await writer.write(Uint8Array.from(bytes));
  writer.releaseLock();
}

const text = (bytes: readonly number[]) => new TextDecoder().decode(Uint8Array.from(bytes));

describe('an STM32 behind a bridge', () => {
  it('is brought into its bootloader through setSignals, and talks with even parity', async () => {
    const { clock, port } = plugged({ part: 'stm32f407', content: 'empty' });
    expect(port.getInfo()).toEqual({ usbVendorId: 0x10c4, usbProductId: 0xea60 });
    await port.open({ baudRate: 115_200, parity: 'even' });
    const reading = readOn(port);
    await port.setSignals({ dataTerminalReady: true, requestToSend: true });
    await clock.advance(20);
    await port.setSignals({ dataTerminalReady: false });
    await clock.advance(100);
    await send(port, 0x7f);
    await clock.advance(5);
    await send(port, 0x02, 0xfd);
    await clock.advance(5);
    expect(reading.bytes()).toEqual([0x79, 0x79, 0x01, 0x04, 0x13, 0x79]);
  });

  it('is held in reset by a host that only opens the port, as on such a board', async () => {
    const { clock, device, port } = plugged({ part: 'stm32f103' });
    await port.open({ baudRate: 115_200 });
    await clock.advance(100);
    expect(device.state).toBe('held');
    await port.setSignals({ dataTerminalReady: false, requestToSend: false });
    await clock.advance(100);
    expect(device.state).toBe('running');
  });

  it('shows the port of an ST-LINK where nothing is wired', () => {
    const { port } = plugged({ part: 'stm32l476', wiring: 'by-hand' });
    expect(port.getInfo()).toEqual({ usbVendorId: 0x0483, usbProductId: 0x374b });
  });

  it('comes back by itself after an unplug by fault', async () => {
    const fault = { at: 'get', kind: 'unplug', replugAfter: 250 } as const;
    const { clock, demo, device, port } = plugged({
      part: 'stm32f103',
      wiring: 'by-hand',
      powerUp: 'bootloader',
      faults: [fault],
    });
    await port.open({ baudRate: 115_200, parity: 'even' });
    await clock.advance(10);
    await send(port, 0x7f);
    await clock.advance(10);
    await send(port, 0x00, 0xff);
    await clock.advance(10);
    expect(demo.port).toBeNull();
    expect(device.state).toBe('off');
    await clock.advance(300);
    expect(demo.port).not.toBe(port);
    expect(device.state).toBe('bootloader');
  });
});

describe('demo ports of STM32 parts', () => {
  it('are among the models, and are told apart', () => {
    expect(modelNames.filter(isStmModel)).toEqual(stmPartNames);
    expect(modelNames.filter(isEspModel).some((name) => name.startsWith('stm'))).toBe(false);
  });

  it.each(stmPartNames)('%s says hello when its reset is released', async (model) => {
    const clock = new VirtualClock(1_000);
    const demo = createDemoPort({ model, clock, baudRate: 57_600 });
    await clock.advance(1_000);
    expect(demo.transmitted).toBe(0);
    const port = present(demo.port);
    await port.open({ baudRate: 57_600 });
    const reading = readOn(port);
    await port.setSignals({ dataTerminalReady: false, requestToSend: false });
    await clock.advance(200);
    expect(text(reading.bytes())).toMatch(/with its factory program\.\r\n$/);
  });

  it('keep their flash when they are plugged in again', async () => {
    const clock = new VirtualClock(1_000);
    const demo = createDemoPort({ model: 'stm32g071', clock });
    const { device } = demo;
    if (!(device instanceof StmDevice)) {
      throw new Error('a part was expected');
    }
    const before = device.flash.read(0, 64);
    demo.unplug();
    demo.replug();
    expect(device.flash.read(0, 64)).toEqual(before);
    expect(before[3]).toBe(0x20);
  });
});
