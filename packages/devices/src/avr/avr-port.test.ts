import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { createDemoPort } from '../demo-port.ts';
import { isAvrModel, modelNames } from '../models.ts';
import { present, readOn } from '../testing/port-fixture.ts';
import { AvrDevice } from './avr-device.ts';
import { type AvrPort, createAvrPort } from './avr-port.ts';
import { avrBoardNames } from './boards.ts';
import type { AvrDeviceOptions } from './options.ts';

function plugged(options: AvrDeviceOptions, asksAgain = false) {
  const clock = new VirtualClock(1_000);
  const board = createAvrPort(new AvrDevice(options), { clock, asksAgain });
  return { clock, board, device: board.device };
}

const idsOf = ({ port }: AvrPort) => {
  const { usbVendorId = 0, usbProductId = 0 } = port?.getInfo() ?? {};
  return [usbVendorId, usbProductId].map((id) => id.toString(16).padStart(4, '0')).join(':');
};

const text = (bytes: readonly number[]) => new TextDecoder().decode(Uint8Array.from(bytes));

async function send(port: SerialPort, ...bytes: readonly number[]): Promise<void> {
  const writer = present(port.writable).getWriter();
  await writer.write(Uint8Array.from(bytes));
  writer.releaseLock();
}

async function touch(port: SerialPort, baudRate: number): Promise<void> {
  await port.open({ baudRate });
  await port.close();
}

describe('the port of an Arduino board', () => {
  it.each([
    ['arduino-uno', '2341:0043'],
    ['arduino-nano', '0403:6001'],
    ['arduino-mega', '2341:0042'],
    ['arduino-leonardo', '2341:8036'],
  ] as const)('%s has the ids %s', (board, ids) => {
    expect(idsOf(plugged({ board }).board)).toBe(ids);
    expect(idsOf(plugged({ board, adapter: 'ch340' }).board)).toBe(
      board === 'arduino-leonardo' ? '2341:8036' : '1a86:7523',
    );
  });

  it('resets the board when it is opened and when setSignals raises DTR again', async () => {
    const { clock, board, device } = plugged({ board: 'arduino-uno' });
    const port = present(board.port);
    await clock.advance(100);
    expect(device.state).toBe('running');
    await port.open({ baudRate: 115_200 });
    expect(device.state).toBe('booting');
    const reading = readOn(port);
    await clock.advance(2_000);
    expect(device.state).toBe('running');
    await port.setSignals({ dataTerminalReady: false });
    await clock.advance(50);
    await port.setSignals({ dataTerminalReady: true });
    await clock.advance(450);
    const before = reading.bytes().length;
    await send(port, 0x30, 0x20);
    await clock.advance(5);
    expect(reading.bytes().slice(before)).toEqual([0x14, 0x10]);
  });
});

describe('the port of a Leonardo', () => {
  it('vanishes at a touch at 1200 baud, comes back as the bootloader, and then as the sketch', async () => {
    const { clock, board } = plugged({ board: 'arduino-leonardo' });
    const first = present(board.port);
    await clock.advance(100);
    await touch(first, 9_600);
    await clock.advance(1_000);
    expect(board.port).toBe(first);
    await touch(first, 1_200);
    await clock.advance(130);
    expect(board.port).toBeNull();
    await clock.advance(400);
    expect(idsOf(board)).toBe('2341:0036');
    const boot = present(board.port);
    await boot.open({ baudRate: 57_600 });
    const answers = readOn(boot);
    await send(boot, 0x53);
    await clock.advance(5);
    expect(text(answers.bytes())).toBe('CATERIN');
    await clock.advance(8_500);
    expect(idsOf(board)).toBe('2341:8036');
    expect(answers.errors).toEqual(['NetworkError']);
    const sketch = present(board.port);
    await sketch.open({ baudRate: 9_600 });
    const said = readOn(sketch);
    await clock.advance(1_100);
    expect(text(said.bytes())).toMatch(/^(Factory sketch: ready\r\n)+$/);
  });

  it('comes back as the bootloader after the reset button', async () => {
    const { clock, board, device } = plugged({ board: 'arduino-leonardo', reenumerate: 700 });
    await clock.advance(100);
    device.pressReset();
    await clock.advance(750);
    expect(board.port).toBeNull();
    await clock.advance(30);
    expect(idsOf(board)).toBe('2341:0036');
  });

  it('stays when the sketch ignores the touch, and when DTR rises again in time', async () => {
    const hung = plugged({ board: 'arduino-leonardo', ignoresTouch: true });
    await hung.clock.advance(100);
    await touch(present(hung.board.port), 1_200);
    await hung.clock.advance(1_000);
    expect(idsOf(hung.board)).toBe('2341:8036');
    const { clock, board } = plugged({ board: 'arduino-leonardo' });
    const port = present(board.port);
    await clock.advance(100);
    await port.open({ baudRate: 1_200 });
    await port.setSignals({ dataTerminalReady: false });
    await clock.advance(100);
    await port.setSignals({ dataTerminalReady: true });
    await clock.advance(1_000);
    expect(board.port).toBe(port);
  });

  it('is the bootloader without a sketch, and stays it', async () => {
    const { clock, board, device } = plugged({ board: 'arduino-leonardo', content: 'empty' });
    expect(idsOf(board)).toBe('2341:0036');
    await clock.advance(60_000);
    expect(device.state).toBe('bootloader');
  });

  it('has to be picked again as the bootloader where that is asked for', async () => {
    const { clock, board } = plugged({ board: 'arduino-leonardo' }, true);
    await clock.advance(100);
    await touch(present(board.port), 1_200);
    await clock.advance(600);
    expect(idsOf(board)).toBe('2341:0036');
    expect(await board.serial.getPorts()).toEqual([]);
  });

  it('starts its sketch when it is unplugged in the bootloader and plugged in again', async () => {
    const { clock, board, device } = plugged({ board: 'arduino-leonardo' });
    device.pressReset();
    await clock.advance(1_000);
    board.unplug();
    board.replug();
    expect(idsOf(board)).toBe('2341:8036');
  });
});

describe('demo ports of Arduino boards', () => {
  it('are among the models', () => {
    expect(modelNames.filter(isAvrModel)).toEqual(avrBoardNames);
  });

  it.each(avrBoardNames)('%s prints its factory line', async (model) => {
    const clock = new VirtualClock(1_000);
    const demo = createDemoPort({ model, clock });
    const port = present(demo.port);
    await port.open({ baudRate: 9_600 });
    const reading = readOn(port);
    await clock.advance(3_000);
    expect(text(reading.bytes())).toContain('Factory sketch: ready\r\n');
  });
});
