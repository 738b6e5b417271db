import { describe, expect, it } from 'vitest';
import { bytesOf, hexOf } from '../../testing/hex.ts';
import { AvrHost, pattern } from '../testing/avr-host.ts';

const connected = (options = {}) => new AvrHost({ board: 'arduino-nano', content: 'empty', ...options }).connect();

describe('ATmegaBOOT on a Nano', () => {
  /** Answers of the genuine code in an emulator (avr8js). */
  it.each([
    ['3020', '1410'],
    ['3120', '144156522049535010'],
    ['408020', '1410'],
    ['40860120', '1410'],
    ['418020', '140210'],
    ['418120', '140110'],
    ['418220', '141010'],
    ['419820', '140310'],
    ['418320', '140010'],
    ['5020', '1410'],
    ['5220', '1410'],
    ['553c0020', '1410'],
    ['563000010020', '149510'],
    ['565000000020', '140010'],
    ['7520', '141e950f10'],
    ['7620', '140010'],
    ['5120', '1410'],
  ])('answers %s with %s', async (request, answer) => {
    const host = await connected();
    expect(await host.send([...bytesOf(request)])).toBe(answer);
  });

  it('erases and writes a page, and reads it back', async () => {
    const host = await connected();
    expect(await host.v1Write(0x80, pattern(128))).toBe('1410');
    expect(await host.v1Write(0x80, pattern(128, 9))).toBe('1410');
    expect(await host.v1Read(0x80, 128)).toBe(`14${hexOf(pattern(128, 9))}10`);
  });

  it('leaves the rest of a short page erased', async () => {
    const host = await connected();
    await host.v1Write(0, pattern(128));
    await host.v1Write(0, [1, 2, 3, 4]);
    expect([...host.device.flash.read(0, 6)]).toEqual([1, 2, 3, 4, 0xff, 0xff]);
  });

  it('erases one page and writes another with an address inside a page', async () => {
    const host = await connected();
    await host.v1Write(0, pattern(128));
    await host.v1Write(0x78, pattern(128, 9));
    expect(new Set(host.device.flash.read(0, 128))).toEqual(new Set([0xff]));
    expect([...host.device.flash.read(0x80, 120)]).toEqual(pattern(128, 9).slice(8));
    expect([...host.device.flash.read(0xf8, 8)]).toEqual(pattern(128, 9).slice(0, 8));
  });

  it('writes and reads EEPROM, in the time that its cells need', async () => {
    const host = await connected({ profile: 'real-flash' });
    expect(await host.v1Write(8, [0xaa, 0xbb, 0xcc, 0xdd], 'E', 13)).toBe('');
    await host.clock.advance(1);
    expect(hexOf(host.terminal.take())).toBe('1410');
    expect(await host.v1Read(6, 4, 'E')).toBe('14ffffaabb10');
  });

  it('doubles the address of a read that follows without Load Address', async () => {
    const host = await connected({ eeprom: Uint8Array.from(pattern(64)) });
    await host.v1([0x55, 4, 0]);
    await host.v1([0x74, 0, 4, 0x45]);
    expect(await host.v1([0x74, 0, 2, 0x45])).toBe(`14${hexOf(pattern(64).slice(24, 26))}10`);
  });

  it('keeps the address of a write with a wrong end, but doubles that of a read', async () => {
    const host = await connected({ eeprom: Uint8Array.from(pattern(64)) });
    await host.v1([0x55, 4, 0]);
    await host.send([0x64, 0, 1, 0x45, 0xaa, 0]);
    expect(await host.v1([0x74, 0, 2, 0x45])).toBe(`14${hexOf(pattern(64).slice(8, 10))}10`);
    await host.v1([0x55, 4, 0]);
    await host.send([0x74, 0, 1, 0x45, 0]);
    expect(await host.v1([0x74, 0, 2, 0x45])).toBe(`14${hexOf(pattern(64).slice(16, 18))}10`);
  });

  it('does not write to its own section', async () => {
    const host = await connected();
    const before = host.device.flash.read(0x7800, 2_048);
    expect(await host.v1Write(0x7800, pattern(128))).toBe('1410');
    expect(host.device.flash.read(0x7800, 2_048)).toEqual(before);
  });

  it('starts the sketch after five errors, and 1.125 s after the last byte', async () => {
    const host = await connected({ content: 'factory' });
    await host.send([1, 2, 3, 4]);
    expect(host.device.state).toBe('bootloader');
    await host.send([5]);
    expect(host.device.state).toBe('running');
    await host.connect();
    await host.v1([0x30], 1_120);
    expect(host.device.state).toBe('bootloader');
    await host.clock.advance(10);
    expect(host.device.state).toBe('running');
  });

  it('comes back to itself without a sketch', async () => {
    const host = await connected();
    await host.clock.advance(10_000);
    expect(host.device.state).toBe('bootloader');
    await host.v1([0x30], 250);
    expect(await host.v1([0x30])).toBe('1410');
  });
});
