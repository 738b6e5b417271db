/** `wirebench erase` as a process: simulated boards behind pseudo-terminals of socat, whose whole flash is compared. */
import { AvrDevice, avrFirmware, NrfDevice, StmDevice } from '@wirebench/devices';
import { describe, expect, it, vi } from 'vitest';
import { ran, wirebench } from '../testing/monitored-port.ts';
import { esp32, hasSocat, isSame, served } from '../testing/served-board.ts';

const erase = (...args: readonly string[]) => ran('erase', ...args);
const esp = ['--by-hand', '--family', 'esp'];

describe.runIf(hasSocat)('erase', { timeout: 60_000 }, () => {
  it('erases a range of an ESP32, and nothing beside it', async () => {
    const device = esp32({ seed: 21 });
    const { size } = device.flash;
    const before = device.flash.read(0, size);
    expect(before.subarray(0x10000, 0x12000).some((byte) => byte !== 0xff)).toBe(true);
    const { code, text } = await erase((await served(device)).path, '--range', '0x10000+0x2000', '--yes', ...esp);
    expect(code, text).toBe(0);
    expect(text).toContain('Everything from 0x10000 to 0x11FFF is erased.');
    expect(isSame(device.flash.read(0, size), before.slice().fill(0xff, 0x10000, 0x12000))).toBe(true);
  });

  it('erases all of the flash of an ESP32', async () => {
    const device = esp32({ seed: 22 });
    const { code, text } = await erase((await served(device)).path, '-y', ...esp);
    expect(code, text).toBe(0);
    expect(text).toContain('The program, its settings and all data are erased.');
    expect(device.flash.read(0, device.flash.size).every((byte) => byte === 0xff)).toBe(true);
  });

  it('erases nothing for a plan, and without consent', async () => {
    const device = esp32({ seed: 23 });
    const { path } = await served(device);
    expect(await erase(path, '--plan', ...esp)).toMatchObject({ code: 0 });
    const other = await served(device);
    const { code, text } = await erase(other.path, '--range', '0x10000+0x2000', ...esp);
    expect(code).toBe(4);
    expect(text).toContain('nothing was erased: there is no terminal to ask on.');
    expect(device.flash.erasedBytes).toBe(0);
  });

  it('asks nothing about a range that is erased already, and says so', async () => {
    const device = esp32({ seed: 24, flash: { content: 'demo' } });
    const range = ['--range', 'coredump'];
    expect(device.flash.read(0x130000, 0x10000).every((byte) => byte === 0xff)).toBe(true);
    const { code, text } = await erase((await served(device)).path, ...range, ...esp);
    expect(code, text).toBe(0);
    expect(text).toContain(
      'All 64 KB are erased already. Nothing has to be erased.\nNothing had to be erased: all 64 KB',
    );
    expect(text).not.toMatch(/written|is erased\.|Erased: /);
    expect(device.flash.erasedBytes).toBe(0);
  });

  it('extends a range of an STM32 to the sectors that are erased, and says so', async () => {
    const content = [{ address: 0x0800_0000, data: new Uint8Array(0x10000).fill(0x5a) }];
    const device = new StmDevice({ part: 'stm32f407', powerUp: 'bootloader', wiring: 'by-hand', content });
    const { path } = await served(device);
    await vi.waitUntil(() => device.state === 'bootloader', 10_000);
    const before = device.flash.read(0, device.flash.size);
    const range = ['--range', '0x08004000+0x4000', '--yes'];
    const { code, text } = await erase(path, ...range, '--by-hand', '--family', 'stm');
    expect(code, text).toBe(0);
    expect(text).toContain('Everything from 0x08004000 to 0x08007FFF is erased.');
    expect(text).toContain('0x08004000 was erased, 16 KB.');
    expect(isSame(device.flash.read(0, device.flash.size), before.slice().fill(0xff, 0x4000, 0x8000))).toBe(true);
  });

  it('removes the read protection of an STM32 for its code only, with all of its flash', async () => {
    const content = [{ address: 0x0800_0000, data: new Uint8Array(0x1000).fill(0x5a) }];
    const own = { part: 'stm32f407', powerUp: 'bootloader', wiring: 'by-hand', content, protection: 1 } as const;
    const device = new StmDevice(own);
    const args = ['--by-hand', '--family', 'stm', '--yes'];
    const ready = async () => {
      const { path } = await served(device);
      device.pressReset();
      await vi.waitUntil(() => device.state === 'bootloader', 10_000);
      return path;
    };
    const refused = await erase(await ready(), ...args);
    expect(refused.code, refused.text).toBe(4);
    expect(refused.text).toContain('With --override read-protected it is done anyway.');
    const planned = await erase(await ready(), ...args, '--plan', '--override', 'read-protected');
    expect(planned.code, planned.text).toBe(0);
    expect(device.flash.read(0, 1)[0]).toBe(0x5a);
    const { code, text } = await erase(await ready(), ...args, '--override', 'read-protected');
    expect(code, text).toBe(0);
    expect(device.flash.read(0, device.flash.size).every((byte) => byte === 0xff)).toBe(true);
  });

  it('leaves the bootloader of an Arduino board', async () => {
    const content = [{ address: 0, data: avrFirmware({ lines: ['Sketch'], size: 6_000, seed: 3 }) }];
    const device = new AvrDevice({ board: 'arduino-uno', patience: 20, resetAtOpen: true, content });
    const before = device.flash.read(0, device.flash.size);
    const program = wirebench(['erase', (await served(device)).path, '--yes', '--family', 'avr']);
    expect(await program.exited, program.text()).toBe(0);
    const after = device.flash.read(0, device.flash.size);
    expect(isSame(after.subarray(0x7e00), before.subarray(0x7e00))).toBe(true);
    expect(after.subarray(0, 0x7e00).every((byte) => byte === 0xff)).toBe(true);
  });

  it('refuses a Nordic board, whose bootloader erases only what it writes', async () => {
    const device = new NrfDevice({ board: 'nrf52840-secure', powerUp: 'bootloader' });
    const { code, text } = await erase((await served(device)).path, '--yes', '--family', 'nrf');
    expect(code, text).toBe(4);
    expect(text).toContain('this bootloader erases only what it writes.');
  });
});
