import { describe, expect, it } from 'vitest';
import { hexOf } from '../../testing/hex.ts';
import { AvrHost, pattern } from '../testing/avr-host.ts';

const connected = (options = {}) => new AvrHost({ board: 'arduino-uno', content: 'empty', ...options }).connect();

describe('optiboot on an Uno', () => {
  it('answers synchronisation, version, signature and unknown commands as the genuine code does', async () => {
    const host = await connected();
    expect(await host.v1([0x30])).toBe('1410');
    expect(await host.v1([0x41, 0x81])).toBe('140410');
    expect(await host.v1([0x41, 0x82])).toBe('140410');
    expect(await host.v1([0x41, 0x80])).toBe('140310');
    expect(await host.v1([0x75])).toBe('141e950f10');
    expect(await host.v1([0x56, 0x30, 0, 1, 0])).toBe('140010');
    expect(await host.v1([0x42, ...pattern(20)])).toBe('1410');
    expect(await host.v1([0x45, ...pattern(5)])).toBe('1410');
    expect(await host.v1([0x50])).toBe('1410');
    expect(await host.v1([0x77])).toBe('1410');
  });

  it('erases and writes a page, and reads it back', async () => {
    const host = await connected();
    expect(await host.v1Write(0x100, pattern(128))).toBe('1410');
    expect(await host.v1Read(0x100, 128)).toBe(`14${hexOf(pattern(128))}10`);
    expect(await host.v1Write(0x100, pattern(128, 9))).toBe('1410');
    expect(await host.v1Read(0x100, 128)).toBe(`14${hexOf(pattern(128, 9))}10`);
  });

  it('fills a short page with the bytes of the write before', async () => {
    const host = await connected();
    await host.v1Write(0, pattern(128));
    await host.v1Write(128, [1, 2, 3, 4]);
    expect([...host.device.flash.read(128, 128)]).toEqual([1, 2, 3, 4, ...pattern(128).slice(4)]);
  });

  it('acknowledges the data at once and the write when it is done', async () => {
    const host = await connected({ profile: 'real-flash' });
    await host.v1Write(0, pattern(128), 'F', 20);
    host.terminal.take();
    await host.v1([0x55, 64, 0]);
    const write = [0x64, 0, 128, 0x46, ...pattern(128)];
    expect(await host.send([...write, 0x20], 8)).toBe('14');
    await host.clock.advance(2);
    expect(hexOf(host.terminal.take())).toBe('10');
    expect([...host.device.flash.read(128, 128)]).toEqual(pattern(128));
  });

  it('takes EEPROM for flash', async () => {
    const host = await connected();
    expect(await host.v1Write(0, pattern(128), 'E')).toBe('1410');
    expect([...host.device.flash.read(0, 128)]).toEqual(pattern(128));
    expect(host.device.eeprom.programmedBytes).toBe(0);
    expect(await host.v1Read(0, 4, 'E')).toBe(`14${hexOf(pattern(4))}10`);
  });

  it('cannot overwrite itself unless the lock bits allow it', async () => {
    const locked = await connected();
    const before = locked.device.flash.read(0x7e00, 512);
    expect(await locked.v1Write(0x7e00, pattern(128))).toBe('1410');
    expect(locked.device.flash.read(0x7e00, 512)).toEqual(before);
    const open = await connected({ lockBits: 0xff });
    await open.v1Write(0x7e00, pattern(128));
    expect([...open.device.flash.read(0x7e00, 128)]).toEqual(pattern(128));
  });

  it('leaves 16 ms after Leave and after a command with a wrong end', async () => {
    const left = await connected({ content: 'factory' });
    expect(await left.v1([0x51], 10)).toBe('1410');
    await left.clock.advance(15);
    expect(left.terminal.text).toBe('Factory sketch: ready\r\n');
    const wrong = await connected({ content: 'factory' });
    expect(await wrong.send([0x30, 0x30], 15)).toBe('');
    expect(wrong.device.state).toBe('booting');
    await wrong.clock.advance(2);
    expect(wrong.device.state).toBe('running');
  });

  it('leaves 1.024 s after the last byte', async () => {
    const host = await connected({ content: 'factory' });
    for (let turn = 0; turn < 3; turn++) {
      expect(await host.v1([0x30], 1_000)).toBe('1410');
    }
    await host.clock.advance(20);
    expect(host.device.state).toBe('bootloader');
    await host.clock.advance(5);
    expect(host.device.state).toBe('running');
  });

  it('keeps three bytes while its LED flashes, and answers them afterwards', async () => {
    const host = new AvrHost({ board: 'arduino-uno' });
    host.terminal.wired.open(null);
    host.device.pressReset();
    expect(await host.v1([0x30], 60)).toBe('');
    await host.clock.advance(40);
    expect(await host.v1([0x30], 300)).toBe('');
    await host.clock.advance(60);
    expect(hexOf(host.terminal.take())).toBe('1410');
  });
});
