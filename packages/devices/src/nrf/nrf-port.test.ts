import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { createDemoPort } from '../demo-port.ts';
import { isNrfModel } from '../models.ts';
import { present, readOn } from '../testing/port-fixture.ts';
import { nrfBoardNames } from './boards.ts';
import { nrfFirmware } from './firmware/nrf-firmware.ts';
import { secureInitPacket } from './firmware/secure-package.ts';
import { NrfDevice } from './nrf-device.ts';
import { createNrfPort, type NrfPort } from './nrf-port.ts';
import type { NrfDeviceOptions } from './options.ts';
import { slipEnded, u32 } from './testing/nrf-host.ts';

function plugged(options: NrfDeviceOptions, asksAgain = false) {
  const clock = new VirtualClock();
  const board = createNrfPort(new NrfDevice(options), { clock, pace: 'none', asksAgain });
  return { clock, board };
}

const idsOf = ({ port }: NrfPort) => {
  const { usbVendorId = 0, usbProductId = 0 } = port?.getInfo() ?? {};
  return [usbVendorId, usbProductId].map((id) => id.toString(16).padStart(4, '0')).join(':');
};

async function touch(port: SerialPort, baudRate: number): Promise<void> {
  await port.open({ baudRate });
  await port.close();
}

async function send(port: SerialPort, ...requests: readonly (readonly number[] | Uint8Array)[]): Promise<void> {
  const writer = present(port.writable).getWriter();
  for (const request of requests) {
    await writer.write(slipEnded(Uint8Array.from(request)));
  }
  writer.releaseLock();
}

/** Flashes over secure DFU and ignores the answers. */
async function flash(port: SerialPort, image: Uint8Array): Promise<void> {
  const init = secureInitPacket({ kind: 'application', image });
  await send(port, [0x01, 0x01, ...u32(init.length)], [0x08, ...init], [0x04]);
  for (let at = 0; at < image.length; at += 4_096) {
    const object = image.subarray(at, at + 4_096);
    const pieces = [0, 1_024, 2_048, 3_072].map((from) => [0x08, ...object.subarray(from, from + 1_024)]);
    const filled = pieces.filter(({ length }) => length > 1);
    await send(port, [0x01, 0x02, ...u32(object.length)], ...filled, [0x04]);
  }
}

describe('the port of a Nordic board', () => {
  it.each([
    ['nrf52840-secure', '1915:520f', '1915:521f'],
    ['nrf52832-secure', '1366:1015', '1366:1015'],
    ['feather-nrf52840', '239a:8029', '239a:0029'],
    ['feather-nrf52832', '10c4:ea60', '10c4:ea60'],
    ['xiao-nrf52840', '2886:8044', '2886:0044'],
    ['nrf52840-mcuboot', '1366:1015', '1366:1015'],
    ['nrf52840-mcuboot-usb', '2fe3:0004', '2fe3:0100'],
  ] as const)('%s has the ids of its application, and those of its bootloader', (board, application, bootloader) => {
    expect(idsOf(plugged({ board }).board)).toBe(application);
    expect(idsOf(plugged({ board, powerUp: 'bootloader' }).board)).toBe(bootloader);
    expect(isNrfModel(board)).toBe(true);
  });

  it('vanishes at a touch at 1200 baud, and comes back as a bootloader', async () => {
    const { clock, board } = plugged({ board: 'feather-nrf52840' });
    const first = present(board.port);
    const seen: string[] = [];
    for (const name of ['connect', 'disconnect'] as const) {
      board.serial.addEventListener(name, () => seen.push(`${name} ${board.device.usbIds.usbProductId.toString(16)}`));
    }
    await touch(first, 115_200);
    await clock.advance(1_000);
    expect(board.port).toBe(first);
    await touch(first, 1_200);
    await clock.advance(100);
    expect(board.port).toBeNull();
    await clock.advance(400);
    expect(idsOf(board)).toBe('239a:002a');
    expect(seen).toEqual(['disconnect 2a', 'connect 2a']);
    expect(first.connected).toBe(false);
    board.device.pressReset();
    await clock.advance(500);
    expect(idsOf(board)).toBe('239a:8029');
    board.device.pressReset('twice');
    await clock.advance(500);
    expect(idsOf(board)).toBe('239a:0029');
  });

  it('vanishes after the last object, and comes back as the application that says its text', async () => {
    const { clock, board } = plugged({ board: 'nrf52840-secure', powerUp: 'bootloader', reenumerate: 700 });
    const { image } = nrfFirmware({ board: 'nrf52840-secure', text: 'hello', size: 10_000 });
    const port = present(board.port);
    await port.open({ baudRate: 115_200 });
    const reading = readOn(port);
    await clock.advance(100);
    const flashing = flash(port, image);
    await clock.advance(100);
    await flashing;
    await clock.advance(500);
    expect(reading.errors).toEqual(['NetworkError']);
    expect(board.port).toBeNull();
    await clock.advance(300);
    expect(idsOf(board)).toBe('1915:520f');
    const next = present(board.port);
    await next.open({ baudRate: 115_200 });
    const text = readOn(next);
    await clock.advance(200);
    expect(new TextDecoder().decode(Uint8Array.from(text.bytes()))).toBe('hello');
  });

  it('has to be picked again as something else, where that is asked for, and only once', async () => {
    const { clock, board } = plugged({ board: 'feather-nrf52840' }, true);
    await clock.advance(100);
    await touch(present(board.port), 1_200);
    await clock.advance(500);
    expect(await board.serial.getPorts()).toEqual([]);
    expect(await board.serial.requestPort({ filters: [{ usbVendorId: 0x239a }] })).toBe(board.port);
    board.device.pressReset();
    await clock.advance(500);
    expect(await board.serial.getPorts()).toEqual([board.port]);
    await touch(present(board.port), 1_200);
    await clock.advance(500);
    expect(idsOf(board)).toBe('239a:002a');
    expect(await board.serial.getPorts()).toEqual([board.port]);
  });

  it('has the ids of a power-up after it was pulled and plugged in again', async () => {
    const { clock, board } = plugged({ board: 'feather-nrf52840' });
    await clock.advance(100);
    await touch(present(board.port), 1_200);
    await clock.advance(500);
    expect(idsOf(board)).toBe('239a:002a');
    board.unplug();
    board.replug();
    expect(idsOf(board)).toBe('239a:8029');
  });

  it('keeps flash and forgets unfinished objects when it is pulled during a write', async () => {
    const { clock, board } = plugged({
      board: 'nrf52840-secure',
      powerUp: 'bootloader',
      secure: { saveProgress: true },
      faults: [{ at: 'write', kind: 'unplug', nth: 6, replugAfter: 1_000 }],
    });
    const { image } = nrfFirmware({ board: 'nrf52840-secure', size: 12_288 });
    const port = present(board.port);
    await port.open({ baudRate: 115_200 });
    readOn(port);
    await clock.advance(100);
    const flashing = flash(port, image);
    await clock.advance(100);
    await expect(flashing).rejects.toThrow();
    expect(board.port).toBeNull();
    await clock.advance(1_100);
    const next = present(board.port);
    await next.open({ baudRate: 115_200 });
    const reading = readOn(next);
    await send(next, [0x06, 0x02]);
    await clock.advance(10);
    expect(reading.bytes().slice(0, 11)).toEqual([0x60, 0x06, 0x01, ...u32(4_096), ...u32(4_096)]);
  });

  it('does not come back from a restart that hangs', async () => {
    const { clock, board } = plugged({
      board: 'nrf52840-secure',
      powerUp: 'bootloader',
      faults: [{ at: 'restart', kind: 'hang' }],
    });
    const port = present(board.port);
    await port.open({ baudRate: 115_200 });
    readOn(port);
    await clock.advance(100);
    await send(port, [0x0c]);
    await clock.advance(60_000);
    expect(board.port).toBeNull();
  });

  it('is behind every demo board by name', () => {
    for (const model of nrfBoardNames) {
      const demo = createDemoPort({ model, clock: new VirtualClock() });
      expect(demo.device).toBeInstanceOf(NrfDevice);
      expect(present(demo.port).getInfo().usbVendorId).toBeGreaterThan(0);
    }
  });
});
