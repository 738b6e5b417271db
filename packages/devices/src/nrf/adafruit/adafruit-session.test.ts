import { describe, expect, it } from 'vitest';
import { bytesOf, hexOf } from '../../testing/hex.ts';
import { legacyInitPacket } from '../firmware/adafruit-package.ts';
import { applicationImage } from '../firmware/application.ts';
import type { NrfDeviceOptions } from '../options.ts';
import { softDeviceImage } from '../soft-device.ts';
import { hciPacket, hostCrc16, NrfHost, u16, u32 } from '../testing/nrf-host.ts';

const feather = (options: Partial<NrfDeviceOptions> = {}) =>
  new NrfHost({ board: 'feather-nrf52840', powerUp: 'bootloader', ...options }).open();

const image = applicationImage({ text: 'hello from the new one\r\n', size: 10_000, seed: 9 });
const start = (size: number, mode = 4) => [...u32(3), ...u32(mode), ...u32(0), ...u32(0), ...u32(size)];
/** Two zeros pad the last word. */
const init = (packet: Uint8Array) => [...u32(1), ...packet, 0, 0];
const goodInit = init(legacyInitPacket(image));
const stop = u32(5);
/** The acknowledgement that requests packet `next`, as sent on the wire. */
const ack = (next: number) =>
  ['c000000000c0', 'c0080000f8c0', 'c0100000f0c0', 'c0180000e8c0'].concat([
    'c0200000e0c0',
    'c0280000d8c0',
    'c0300000d0c0',
    'c0380000c8c0',
  ])[next];

/** Sends packets one by one from sequence number `from` on. Returns the output after each. */
async function sendAll(host: NrfHost, payloads: readonly (readonly number[])[], from = 1): Promise<string[]> {
  const answers: string[] = [];
  for (const [index, payload] of payloads.entries()) {
    answers.push(hexOf(await host.raw(hciPacket((from + index) & 7, payload))));
  }
  return answers;
}

function dataPackets(bytes: Uint8Array): number[][] {
  const packets: number[][] = [];
  for (let at = 0; at < bytes.length; at += 512) {
    packets.push([...u32(4), ...bytes.subarray(at, at + 512)]);
  }
  return packets;
}

describe('the legacy serial DFU', () => {
  it('acknowledges as adafruit-nrfutil expects, byte for byte', async () => {
    const host = await feather();
    // "Start" for an application of 10,000 bytes, as written by adafruit-nrfutil 0.5.3.post16.
    const written = 'c0d14e01e003000000040000000000000000000000102700009ab7c0';
    expect(hexOf(hciPacket(1, start(10_000)))).toBe(written);
    expect(hexOf(await host.raw(bytesOf(written)))).toBe('c0100000f0c0');
  });

  it('takes an application, and comes back as it', async () => {
    const host = await feather({ content: 'empty' });
    const packets = [start(image.length), goodInit, ...dataPackets(image), stop];
    expect(await sendAll(host, packets)).toEqual(packets.map((_, index) => ack((index + 2) & 7)));
    await host.clock.advance(500);
    expect(host.device.state).toBe('running');
    expect(host.terminal.text).toBe('hello from the new one\r\n');
    expect(host.device.flash.read(0x26000, image.length)).toEqual(image);
    expect(host.device.usbIds).toEqual({ usbVendorId: 0x239a, usbProductId: 0x8029 });
  });

  it('repeats its acknowledgement for a packet that comes twice or out of turn, and ignores it', async () => {
    const host = await feather();
    await sendAll(host, [start(image.length)]);
    const erased = host.device.flash.erasedBytes;
    expect(await sendAll(host, [start(image.length)])).toEqual([ack(2)]);
    expect(await sendAll(host, [goodInit], 5)).toEqual([ack(2)]);
    expect(host.device.flash.erasedBytes).toBe(erased);
    expect(await sendAll(host, [goodInit], 2)).toEqual([ack(3)]);
  });

  it('does not receive a packet with a bad sum, a bad CRC or of another kind', async () => {
    const host = await feather();
    const good = hciPacket(1, start(image.length));
    for (const at of [3, 5, good.length - 2]) {
      expect(await host.raw(good.with(at, (good[at] ?? 0) ^ 0x10))).toEqual(new Uint8Array());
    }
    expect(hexOf(await host.raw(good))).toBe(ack(2));
  });

  it.each([
    ['another device type', legacyInitPacket(image, { deviceType: 0x0051 })],
    ['a SoftDevice that is not there', legacyInitPacket(image, { softDevices: [0x0123] })],
    ['no SoftDevice at all', legacyInitPacket(image, { softDevices: [] })],
  ])('restarts at an init packet with %s, the old application being gone', async (_what, packet) => {
    const host = await feather();
    await sendAll(host, [start(image.length), init(packet)]);
    await host.clock.advance(500);
    expect(host.device.state).toBe('bootloader');
    expect(host.device.usbIds.usbProductId).toBe(0x0029);
    expect(await sendAll(host, [start(image.length)])).toEqual([ack(2)]);
  });

  it('takes an init packet that names its SoftDevice', async () => {
    const host = await feather();
    const packet = legacyInitPacket(image, { softDevices: [0x0123, 0x00b6] });
    expect(await sendAll(host, [start(image.length), init(packet)])).toEqual([ack(2), ack(3)]);
    await host.clock.advance(500);
    expect(host.device.state).toBe('bootloader');
  });

  it.each([
    ['has no room', start(0xf0000)],
    ['is not whole words', start(10_001)],
    ['is an application with a bootloader', start(10_000, 6)],
  ])('restarts at a start that %s, and the old application runs', async (_what, packet) => {
    const host = await feather();
    await sendAll(host, [packet]);
    await host.clock.advance(500);
    expect(host.device.state).toBe('running');
    expect(host.device.flash.erasedBytes).toBe(0);
  });

  it('says nothing about a wrong checksum of the image: it just does not come back', async () => {
    const host = await feather();
    const wrong = image.with(77, (image[77] ?? 0) ^ 1);
    const answers = await sendAll(host, [start(image.length), goodInit, ...dataPackets(wrong), stop]);
    expect(answers.at(-1)).toBe(ack((answers.length + 1) & 7));
    await host.clock.advance(5_000);
    expect(host.device.state).toBe('bootloader');
    host.device.pressReset();
    await host.clock.advance(500);
    expect(host.device.state).toBe('bootloader');
  });

  it('passes over data before the init packet', async () => {
    const host = await feather();
    await sendAll(host, [start(image.length), ...dataPackets(image).slice(0, 2)]);
    expect(host.device.flash.read(0x26000, 4)).toEqual(Uint8Array.of(255, 255, 255, 255));
  });

  it('answers the packet after the start only when everything is erased', async () => {
    const host = await feather({ profile: 'real-flash' });
    expect(await sendAll(host, [start(image.length)])).toEqual([ack(2)]);
    expect(await sendAll(host, [goodInit], 2)).toEqual(['']);
    // Three pages of the image and one of settings, 85 ms each.
    await host.clock.advance(325);
    expect(host.terminal.bytes.length).toBe(0);
    await host.clock.advance(10);
    expect(hexOf(host.terminal.take())).toBe(ack(3));
  });

  it('ignores bytes on a UART while it erases', async () => {
    const host = new NrfHost({ board: 'feather-nrf52832', powerUp: 'bootloader', profile: 'real-flash' });
    await host.open();
    expect(await sendAll(host, [start(image.length)])).toEqual([ack(2)]);
    expect(await sendAll(host, [goodInit], 2)).toEqual(['']);
    await host.clock.advance(1_000);
    expect(host.terminal.bytes.length).toBe(0);
    expect(await sendAll(host, [goodInit], 2)).toEqual([ack(3)]);
  });

  it('waits a second for a host at each start of a board without USB, and longer once one talks', async () => {
    const host = new NrfHost({ board: 'feather-nrf52832' });
    await host.open();
    expect(host.device.state).toBe('bootloader');
    await host.clock.advance(1_100);
    expect(host.device.state).toBe('running');
    expect(host.terminal.text).toContain('factory firmware');
    host.terminal.wired.setLines({ dtr: true });
    await host.clock.advance(100);
    expect(await sendAll(host, [start(image.length)])).toEqual([ack(2)]);
    await host.clock.advance(5_000);
    expect(host.device.state).toBe('bootloader');
  });

  it('starts the application after an update without waiting again', async () => {
    const host = new NrfHost({ board: 'feather-nrf52832' });
    await host.open();
    await sendAll(host, [start(image.length), goodInit, ...dataPackets(image), stop]);
    await host.clock.advance(200);
    expect(host.device.state).toBe('running');
    expect(host.terminal.text).toBe('hello from the new one\r\n');
  });

  it.each([
    [52_840, 0x27000],
    [0xadaf, 0x26000],
  ])('takes a SoftDevice for the right chip alone: revision %i', async (deviceRevision, applicationStart) => {
    const host = await feather();
    const softDevice = softDeviceImage(0x0123);
    const packet = legacyInitPacket(softDevice, { deviceRevision });
    const sizes = [...u32(3), ...u32(1), ...u32(softDevice.length), ...u32(0), ...u32(0)];
    const rest = applicationStart === 0x27000 ? [...dataPackets(softDevice), stop] : [];
    await sendAll(host, [sizes, init(packet), ...rest]);
    await host.clock.advance(500);
    expect(host.device.state).toBe('bootloader');
    await sendAll(host, [start(image.length), goodInit, ...dataPackets(image), stop]);
    await host.clock.advance(500);
    expect(host.terminal.text).toBe('hello from the new one\r\n');
    expect(host.device.flash.read(applicationStart, 16)).toEqual(image.slice(0, 16));
  });

  it('is entered by a touch at 1200 baud, without its disk', async () => {
    const host = new NrfHost({ board: 'feather-nrf52840' });
    const { wired } = host.terminal;
    const touch = async (baudRate: number) => {
      wired.setLines({ dtr: true });
      wired.open({ baudRate, dataBits: 8, stopBits: 1, parity: 'none' });
      await host.clock.advance(100);
      wired.setLines({ dtr: false });
      wired.close();
      await host.clock.advance(500);
    };
    await touch(115_200);
    expect(host.device.state).toBe('running');
    await touch(1_200);
    expect(host.device.state).toBe('bootloader');
    expect(host.device.usbIds.usbProductId).toBe(0x002a);
  });

  it('computes the CRC of adafruit-nrfutil', () => {
    expect(hostCrc16(new TextEncoder().encode('123456789'))).toBe(0x29b1);
    expect(hexOf(legacyInitPacket(new TextEncoder().encode('123456789')))).toBe(
      `5200ffffffffffff0100feff${hexOf(Uint8Array.from(u16(0x29b1)))}`,
    );
  });
});
