import { describe, expect, it } from 'vitest';
import { hexOf } from '../../testing/hex.ts';
import { AvrHost, pattern } from '../testing/avr-host.ts';

const connected = (options = {}) => new AvrHost({ board: 'arduino-leonardo', content: 'empty', ...options }).connect();

describe('Caterina on a Leonardo', () => {
  it.each([
    ['S', '4341544552494e'],
    ['V', '3130'],
    ['p', '53'],
    ['a', '59'],
    ['b', '590080'],
    ['t', '4400'],
    ['s', '87951e'],
    ['F', 'ff'],
    ['N', 'd8'],
    ['Q', 'cb'],
    ['r', 'ef'],
    ['P', '0d'],
    ['L', '0d'],
    ['TD', '0d'],
    ['v', '3f'],
    ['\x1b', ''],
  ])('answers %j with %s', async (request, answer) => {
    const host = await connected();
    expect(await host.type(request)).toBe(answer);
  });

  it('erases and writes a page, and reads it back', async () => {
    const host = await connected();
    expect(await host.blockWrite(0x40, pattern(128))).toBe('0d');
    expect(await host.blockWrite(0x40, pattern(128, 9))).toBe('0d');
    expect(await host.blockRead(0x40, 128)).toBe(hexOf(pattern(128, 9)));
  });

  it('writes and reads EEPROM in blocks and bytes', async () => {
    const host = await connected();
    expect(await host.blockWrite(8, [1, 2, 3], 'E')).toBe('0d');
    expect(await host.blockRead(7, 5, 'E')).toBe('ff010203ff');
    await host.send([0x41, 0, 9]);
    expect(await host.send([0x44, 0x77])).toBe('0d');
    expect(await host.send([0x64])).toBe('03');
    expect([...host.device.eeprom.read(8, 3)]).toEqual([1, 0x77, 3]);
  });

  it('erases the application section alone', async () => {
    const host = await connected({ content: 'factory', profile: 'real-flash' });
    const bootloader = host.device.flash.read(0x7000, 0x1000);
    expect(await host.type('e', 2_000)).toBe('');
    await host.clock.advance(100);
    expect(hexOf(host.terminal.take())).toBe('0d');
    expect(new Set(host.device.flash.read(0, 0x7000))).toEqual(new Set([0xff]));
    expect(host.device.flash.read(0x7000, 0x1000)).toEqual(bootloader);
  });

  it('does not write to its own section', async () => {
    const host = await connected();
    const before = host.device.flash.read(0x7000, 0x1000);
    expect(await host.blockWrite(0x3800, pattern(128))).toBe('0d');
    expect(host.device.flash.read(0x7000, 0x1000)).toEqual(before);
  });

  it('writes a page that was loaded word by word', async () => {
    const host = await connected();
    await host.send([0x41, 0, 0]);
    await host.send([0x43, 0x12]);
    await host.send([0x63, 0x34]);
    await host.send([0x41, 0, 0]);
    expect(await host.type('m')).toBe('0d');
    // The second load of a word has no effect, so the high byte stays 0.
    expect(await host.type('R')).toBe('0012');
  });

  it('drops the rest of a packet after a command', async () => {
    const host = await connected();
    expect(await host.type('SVs')).toBe('4341544552494e');
    expect(await host.type('V')).toBe('3130');
  });

  it('leaves 8 s after its start or the last block, however often other commands come', async () => {
    const host = await connected({ content: 'factory' });
    for (let second = 0; second < 7; second++) {
      await host.type('S', 1_000);
    }
    await host.blockRead(0, 2);
    await host.clock.advance(7_950);
    expect(host.device.state).toBe('bootloader');
    for (let second = 0; second < 7; second++) {
      await host.type('S', 10);
    }
    expect(host.device.state).toBe('running');
  });

  it('leaves half a second after Exit', async () => {
    const host = await connected({ content: 'factory' });
    expect(await host.type('E', 490)).toBe('0d');
    expect(host.device.state).toBe('bootloader');
    await host.clock.advance(15);
    expect(host.device.state).toBe('running');
  });

  it('stays without a sketch', async () => {
    const host = await connected();
    await host.type('E', 60_000);
    expect(host.device.state).toBe('bootloader');
    expect(await host.type('S')).toBe('4341544552494e');
  });
});
