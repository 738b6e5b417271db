import { describe, expect, it } from 'vitest';
import { bytesOf, hexOf } from '../../testing/hex.ts';
import { AvrHost, pattern } from '../testing/avr-host.ts';

const connected = (options = {}) => new AvrHost({ board: 'arduino-mega', content: 'empty', ...options }).connect();
const page = pattern(256);

describe('stk500boot on a Mega 2560', () => {
  /** Bodies that the genuine code answers in an emulator (avr8js). Fuses and lock bits: its source. */
  it.each([
    ['01', '0100084156524953505f32'],
    ['0390', '03000f'],
    ['0391', '030002'],
    ['0392', '03000a'],
    ['0393', '030000'],
    ['0380', '030000'],
    ['029e01', '0200'],
    ['100100', '1000'],
    ['1b04300002', '1b000100'],
    ['1804500000', '1800ff00'],
    ['1804500800', '1800fd00'],
    ['1804580800', '1800d800'],
    ['1a0458000000', '1a00cf00'],
    ['1d04040030000200', '1d00003000 0100'],
    ['1d04040050000000', '1d00005000 ff00'],
    ['1d04040050080000', '1d00005000 ff00'],
    ['1d04040058000000', '1d00005800 d800'],
    ['1d040400a0000000', '1d0000a000 0000'],
    ['1200', '12c0'],
    ['99', '99c0'],
    ['110101', '1100'],
  ])('answers %s with %s', async (request, answer) => {
    const host = await connected();
    expect(await host.v2([...bytesOf(request)])).toBe(answer.replace(' ', ''));
  });

  it('writes and reads pages above 128 KiB', async () => {
    const host = await connected();
    await host.v2Address(0x80010000);
    expect(await host.v2Write(page)).toBe('1300');
    expect([...host.device.flash.read(0x20000, 256)]).toEqual(page);
    await host.v2Address(0x80010000);
    expect(await host.v2Read(256)).toBe(hexOf(page));
  });

  it('erases one page after the other from 0 on, wherever it writes', async () => {
    const old = new Uint8Array(0x1000);
    const host = await connected({ content: [{ address: 0, data: old }] });
    await host.v2Address(0x400);
    await host.v2Write(page);
    expect(host.device.flash.read(0x800, 256)).toEqual(new Uint8Array(256));
    expect(new Set(host.device.flash.read(0, 256))).toEqual(new Set([0xff]));
    await host.v2Address(0x480);
    await host.v2Write(page);
    expect(new Set(host.device.flash.read(0x100, 256))).toEqual(new Set([0xff]));
  });

  it('starts the erases again at 0 after Chip Erase, which it answers with an error', async () => {
    const host = await connected();
    await host.v2Address(0);
    await host.v2Write(page);
    expect(await host.v2([0x12, 0])).toBe('12c0');
    await host.v2Address(0);
    await host.v2Write(pattern(256, 9));
    expect([...host.device.flash.read(0, 256)]).toEqual(pattern(256, 9));
  });

  it('does not write to its own section', async () => {
    const host = await connected();
    const before = host.device.flash.read(0x3e000, 8_192);
    await host.v2Address(0x1f000);
    expect(await host.v2Write(page)).toBe('1300');
    expect(host.device.flash.read(0x3e000, 8_192)).toEqual(before);
  });

  it('reads EEPROM at twice the loaded address, but writes it at the address', async () => {
    const host = await connected({ eeprom: Uint8Array.from(pattern(64)) });
    await host.v2Address(8);
    expect(await host.v2Read(8, 0x16)).toBe(hexOf(pattern(64).slice(16, 24)));
    expect(await host.v2Read(8, 0x16)).toBe(hexOf(pattern(64).slice(24, 32)));
    await host.v2Address(8);
    expect(await host.v2Write([0xaa, 0xbb], 0x15)).toBe('1500');
    expect([...host.device.eeprom.read(7, 4)]).toEqual([
      ...pattern(64).slice(7, 8),
      0xaa,
      0xbb,
      ...pattern(64).slice(10, 11),
    ]);
  });

  it('programs lock bits, and nothing sets them again', async () => {
    const host = await connected();
    expect(await host.v2([0x19, 4, 0xac, 0xff, 0xc3])).toBe('190000');
    expect(host.device.lockBits).toBe(0xc3);
    await host.v2Address(0);
    await host.v2Write(page);
    expect(host.device.flash.programmedBytes).toBe(0);
  });

  it('ignores a message with a wrong checksum, and answers the next one', async () => {
    const host = await connected();
    expect(await host.send([0x1b, 1, 0, 1, 0x0e, 1, 0])).toBe('');
    expect(await host.v2([1])).toMatch(/^0100/);
  });

  it('takes 9 ms for a page', async () => {
    const host = await connected({ profile: 'real-flash' });
    await host.v2Address(0);
    await host.v2Write(page, 0x13, 8);
    expect(host.device.flash.read(0, 1)[0]).toBe(0xff);
    await host.clock.advance(2);
    expect([...host.device.flash.read(0, 256)]).toEqual(page);
  });

  it('waits 0.83 s for a first byte, then 5 s for each', async () => {
    const host = new AvrHost({ board: 'arduino-mega' });
    host.terminal.wired.open(null);
    await host.clock.advance(890);
    expect(host.device.state).toBe('bootloader');
    await host.clock.advance(15);
    expect(host.device.state).toBe('running');
    host.device.pressReset();
    await host.clock.advance(100);
    await host.send([0x30], 4_900);
    expect(host.device.state).toBe('bootloader');
    await host.clock.advance(110);
    expect(host.device.state).toBe('running');
  });

  it('stays without a sketch', async () => {
    const host = await connected();
    await host.clock.advance(20_000);
    expect(await host.v2([1])).toMatch(/^0100/);
    await host.clock.advance(20_000);
    expect(host.device.state).toBe('bootloader');
  });

  it('starts the sketch 0.1 s after it is left', async () => {
    const host = await connected({ content: 'factory' });
    expect(await host.v2([0x11, 1, 1], 95)).toBe('1100');
    expect(host.device.state).toBe('booting');
    await host.clock.advance(10);
    expect(host.device.state).toBe('running');
  });
});
