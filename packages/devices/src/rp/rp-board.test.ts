import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import type { SimulatedUsbDevice } from '../usb/usb-device.ts';
import { rpFirmware } from './firmware.ts';
import { RpBoard, type RpBoardOptions } from './rp-board.ts';
import { Picotool } from './testing/picotool.ts';

async function board(options: Partial<RpBoardOptions> = {}) {
  const clock = new VirtualClock(1_000);
  const made = new RpBoard({ clock, pace: 'none', bootsel: true, ...options });
  const events: string[] = [];
  made.usb.onconnect = ({ device }) => events.push(`connect ${device.productName}`);
  made.usb.addEventListener('disconnect', () => events.push('disconnect'));
  await clock.advance(1_000);
  return { clock, board: made, events };
}

function deviceOf({ device }: RpBoard): SimulatedUsbDevice {
  if (device === null) {
    throw new Error('a device was expected on the bus');
  }
  return device;
}

const nameOf = async (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: unknown) => (error instanceof Error || error instanceof DOMException ? error.name : String(error)),
  );

describe('an RP2040 in BOOTSEL', () => {
  it('offers the drive and PICOBOOT, and lets a page claim PICOBOOT only', async () => {
    const { board: made, events } = await board();
    const device = deviceOf(made);
    expect([device.vendorId, device.productId, device.productName]).toEqual([0x2e8a, 0x0003, 'RP2 Boot']);
    expect(events).toEqual(['connect RP2 Boot']);
    expect(await nameOf(device.claimInterface(1))).toBe('InvalidStateError');
    await device.open();
    expect(await nameOf(device.claimInterface(0))).toBe('SecurityError');
    expect(await nameOf(device.transferIn(4, 64))).toBe('NotFoundError');
    await device.claimInterface(1);
    expect(device.configuration?.interfaces[1]?.claimed).toBe(true);
    expect(await nameOf(device.transferIn(1, 64))).toBe('NotFoundError');
  });

  it('refuses the claim where a system has bound no driver', async () => {
    const { board: made } = await board({ isHeld: true });
    await deviceOf(made).open();
    expect(await nameOf(deviceOf(made).claimInterface(1))).toBe('NetworkError');
  });

  it('is erased, written, read and restarted into the new program', async () => {
    const { board: made, clock, events } = await board({ content: 'empty' });
    const tool = await Picotool.open(deviceOf(made));
    const image = rpFirmware({ text: 'written\r\n', kind: 'plain', size: 9_000 });
    await tool.exclusive(1);
    await tool.exitXip();
    await tool.erase(0x1000_0000, 12_288);
    await tool.write(0x1000_0000, image);
    expect(await tool.read(0x1000_0000, image.length)).toEqual(image);
    await tool.reboot(0, 0, 500);
    made.holdBootsel(false);
    await clock.advance(1_000);
    expect([made.state, made.device, made.program]).toEqual(['running', null, { kind: 'plain', text: 'written\r\n' }]);
    expect(events.at(-1)).toBe('disconnect');
    expect(made.port?.getInfo()).toEqual({ usbVendorId: 0x2e8a, usbProductId: 0x000a });
  });

  it('takes the time of real flash and of full speed', async () => {
    const { board: made, clock } = await board({ content: 'empty', pace: 'wire', profile: 'real-flash' });
    const tool = await Picotool.open(deviceOf(made), clock);
    await tool.run(tool.exitXip());
    const start = clock.now();
    await tool.run(tool.erase(0x1000_0000, 65_536));
    const erased = clock.now();
    expect(erased - start).toBeGreaterThan(16 * 45);
    expect(erased - start).toBeLessThan(16 * 45 + 5);
    await tool.run(tool.write(0x1000_0000, new Uint8Array(65_536).fill(7)));
    // 256 pages of 0.4 ms and 265 bytes on the serial bus, beside 1,024 packets of 1/19 ms.
    expect(clock.now() - erased).toBeGreaterThan(256 * (0.4 + 0.265));
    expect(clock.now() - erased).toBeLessThan(256 * (0.4 + 0.265) + 1_024 / 19);
  });

  it('fails a pending transfer when the cable is pulled', async () => {
    const { board: made, clock, events } = await board();
    const device = deviceOf(made);
    await device.open();
    await device.claimInterface(1);
    const pending = nameOf(device.transferIn(4, 64));
    made.unplug();
    await clock.settle();
    expect(await pending).toBe('NetworkError');
    expect([await nameOf(device.open()), made.device, events.at(-1)]).toEqual(['NotFoundError', null, 'disconnect']);
    made.replug();
    await clock.advance(1_000);
    expect(deviceOf(made)).not.toBe(device);
  });

  it('cancels a pending transfer when the page closes the device', async () => {
    const { board: made } = await board();
    const device = deviceOf(made);
    await device.open();
    await device.claimInterface(1);
    const pending = nameOf(device.transferIn(4, 64));
    await device.close();
    expect(await pending).toBe('AbortError');
  });

  it('halts both endpoints at a wrong command, and recovers by an interface reset', async () => {
    const { board: made } = await board();
    const device = deviceOf(made);
    const tool = await Picotool.open(device);
    expect((await device.transferOut(3, new Uint8Array(32))).status).toBe('ok');
    expect((await device.transferIn(4, 64)).status).toBe('stall');
    expect((await device.transferOut(3, new Uint8Array(32))).status).toBe('stall');
    await tool.reset();
    await tool.exclusive(0);
    expect((await tool.status()).code).toBe(0);
  });

  it('clears a halt by clearHalt, with both toggles back at DATA0', async () => {
    const { board: made } = await board();
    const device = deviceOf(made);
    const tool = await Picotool.open(device);
    await device.transferOut(3, new Uint8Array(32));
    await device.clearHalt('in', 4);
    await device.clearHalt('out', 3);
    await tool.exclusive(1);
    await tool.exclusive(0);
    expect((await tool.status()).code).toBe(0);
  });

  it('stops an erase half way at an interface reset, without a word', async () => {
    const old = new Uint8Array(65_536);
    const { board: made, clock } = await board({ content: [{ offset: 0, data: old }], profile: 'real-flash' });
    const tool = await Picotool.open(deviceOf(made), clock);
    await tool.run(tool.exitXip());
    await tool.command(0x03, [0, 0, 0, 0x10, 0, 0, 1, 0], 0);
    await clock.advance(100);
    await tool.reset();
    await clock.advance(1_000);
    const erased = Array.from({ length: 16 }, (_, sector) => made.flash.read(sector * 4_096, 1)[0] === 0xff);
    expect(erased).toEqual([true, true, true, ...new Array<boolean>(13).fill(false)]);
    expect(await tool.status()).toEqual({ token: 0, code: 0, id: 0, isInProgress: false });
  });

  it('leaves a sector partly erased when the cable is pulled, and the ones behind it as they were', async () => {
    const old = new Uint8Array(16_384);
    const { board: made, clock } = await board({ content: [{ offset: 0, data: old }], profile: 'real-flash' });
    const tool = await Picotool.open(deviceOf(made), clock);
    await tool.run(tool.exitXip());
    await tool.command(0x03, [0, 0, 0, 0x10, 0, 0x40, 0, 0], 0);
    await clock.advance(70);
    made.unplug();
    const [first, second, third] = [0, 4_096, 8_192].map((offset) => new Set(made.flash.read(offset, 4_096)).size);
    expect([first, third]).toEqual([1, 1]);
    expect(second).toBeGreaterThan(2);
  });

  it('needs EXIT_XIP again after a bus reset, and reads zeros before', async () => {
    const data = new Uint8Array(256).fill(0x5a);
    const { board: made } = await board({ content: [{ offset: 0, data }] });
    const device = deviceOf(made);
    const tool = await Picotool.open(device);
    await tool.exitXip();
    expect(await tool.read(0x1000_0000, 256)).toEqual(data);
    await device.reset();
    await device.claimInterface(1);
    expect(await tool.read(0x1000_0000, 256)).toEqual(new Uint8Array(256));
    await tool.exitXip();
    expect(await tool.read(0x1000_0000, 256)).toEqual(data);
  });

  it('stands beside a second board on one bus, with an equal serial number', async () => {
    const first = await board();
    const second = await board({ usb: first.board.usb, content: 'empty' });
    const devices = await first.board.usb.getDevices();
    expect(devices).toEqual([deviceOf(first.board), deviceOf(second.board)]);
    expect(devices[0]?.serialNumber).toBe(devices[1]?.serialNumber);
    second.board.unplug();
    expect(await first.board.usb.getDevices()).toEqual([deviceOf(first.board)]);
  });
});
