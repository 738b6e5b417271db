/** Settings of `wirebench flash` that only boards of one family have. */
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { avrFirmwareHex } from '@wirebench/devices';
import { describe, expect, it } from 'vitest';
import { espFiles, TestFolder } from '../testing/built-files.ts';
import { ran, wirebench } from '../testing/monitored-port.ts';
import { esp32, hasSocat, isSame, served } from '../testing/served-board.ts';

const files = new TestFolder();
const flash = (...args: readonly string[]) => ran('flash', ...args);

describe.runIf(hasSocat)('flash of Espressif boards', { timeout: 60_000 }, () => {
  it('names --encrypt for a board with encrypted flash, and the board then encrypts', async () => {
    const device = esp32({ chip: 'esp32c3', seed: 31, security: { flashEncryption: 'development' } });
    const { path, flashed } = files.espBuild('encrypted', espFiles('esp32c3'), 'esp32c3');
    const plain = await flash((await served(device)).path, path, '--by-hand', '--yes');
    expect(plain.code, plain.text).toBe(4);
    expect(plain.text).toContain('Add --encrypt.');
    expect(plain.text).not.toContain('Encrypt on the board');
    expect(device.flash.programmedBytes).toBe(0);
    const { code, text } = await flash((await served(device)).path, path, '--by-hand', '--yes', '--encrypt');
    expect(code, text).toBe(0);
    expect(text).toContain('This board cannot confirm');
    for (const { offset, data } of flashed) {
      expect(isSame(device.flash.read(offset, data.length), data)).toBe(false);
      expect(isSame(device.decrypted(offset, data.length), data)).toBe(true);
    }
  });

  it('replaces stored settings with --no-keep-nvs only', async () => {
    const device = esp32({ seed: 32, flash: { content: 'demo' } });
    const nvs = `0x9000=${files.saved('nvs.bin', new Uint8Array(0x4000).fill(0xff))}`;
    const before = device.flash.read(0x9000, 0x4000);
    const args = ['--by-hand', '--yes', '--family', 'esp', '--override', 'not-firmware'];
    const kept = await flash((await served(device)).path, nvs, ...args);
    expect(kept.code, kept.text).toBe(4);
    expect(kept.text).toContain('let it replace what is stored with --no-keep-nvs.');
    expect(isSame(device.flash.read(0x9000, 0x4000), before)).toBe(true);
    const { code, text } = await flash((await served(device)).path, nvs, ...args, '--no-keep-nvs');
    expect(code, text).toBe(0);
    expect(device.flash.read(0x9000, 0x4000).every((byte) => byte === 0xff)).toBe(true);
  });

  it('keeps stored settings with --erase-all --keep-nvs', async () => {
    const { path, flashed } = files.espBuild('kept');
    const stored = [0x9000, 0x300000].map((offset) => ({ offset, data: new Uint8Array(0x1000).fill(0x5a) }));
    const device = esp32({ seed: 33, flash: { content: [...flashed, ...stored] } });
    const args = [path, '--by-hand', '--yes', '--erase-all', '--keep-nvs'];
    const { code, text } = await flash((await served(device)).path, ...args);
    expect(code, text).toBe(0);
    expect(text).toMatch(/What the write puts back is in esp32-[\da-f]{12}-0x9000\.bin until it is done\./);
    expect(device.flash.read(0x9000, 0x1000).every((byte) => byte === 0x5a)).toBe(true);
    expect(device.flash.read(0x300000, 0x1000).every((byte) => byte === 0xff)).toBe(true);
    for (const { offset, data } of flashed) {
      expect(isSame(device.flash.read(offset, data.length), data)).toBe(true);
    }
  });

  it('leaves the settings that it was to write back in a file after Ctrl+C, and names it', async () => {
    const { path, flashed } = files.espBuild('cut');
    const stored = new Uint8Array(0x1000).fill(0x5a);
    const content = [...flashed, { offset: 0x9000, data: stored }];
    const device = esp32({ seed: 36, profile: 'real-flash', flash: { content } });
    const folder = join(files.path, 'interrupted');
    mkdirSync(folder);
    const args = [path, '--by-hand', '--yes', '--erase-all', '--keep-nvs', '--json'];
    const write = wirebench(['flash', (await served(device)).path, ...args], {}, { folder });
    await write.until(/"stage":"erasing"/);
    const [before = ''] = readdirSync(folder);
    write.interrupt();
    expect(await write.exited).toBe(130);
    const [file = '', ...others] = readdirSync(folder);
    expect([before, others]).toEqual([file, []]);
    expect(file).toMatch(/^esp32-[\da-f]{12}-0x9000\.bin$/);
    expect(statSync(join(folder, file)).mode & 0o077).toBe(0);
    expect(isSame(readFileSync(join(folder, file)).subarray(0, stored.length), stored)).toBe(true);
    expect(write.text()).toContain(`"wirebench flash PORT 0x9000=${file}" writes it.`);
  });

  it('sets the size of the board in the header of the bootloader with --flash-size', async () => {
    const device = esp32({ seed: 34 });
    const { path } = files.espBuild('sized');
    const args = [path, '--by-hand', '--yes', '--flash-size', '2MB', '--flash-mode', 'dout'];
    const { code, text } = await flash((await served(device)).path, ...args);
    expect(code, text).toBe(0);
    // Mode 3 is DOUT, size 1 is 2 MB (esptool documentation, "Firmware Image Format").
    expect([...device.flash.read(0x1002, 2)].map((byte, index) => (index === 0 ? byte : byte >> 4))).toEqual([3, 1]);
  });

  it('ends with 2 for a value that no board has, and for an option of another family', async () => {
    const { path } = files.espBuild('wrong');
    expect(await flash('--simulate', 'esp32', path, '--flash-size', 'big')).toMatchObject({ code: 2 });
    expect(await flash('--simulate', 'esp32', path, '--flash-mode', 'fast')).toMatchObject({ code: 2 });
    const hex = files.saved('sketch.hex', avrFirmwareHex({ size: 1_000 }));
    const other = await flash('--simulate', 'arduino-uno', hex, '--encrypt', '--family', 'avr');
    expect(other.code, other.text).toBe(2);
    expect(other.text).toContain('--encrypt is for Espressif');
  });

  it('names the values of a choice, and the family of an option, for every family', async () => {
    const { path } = files.espBuild('others');
    const wrong = await flash('--simulate', 'esp32', path, '--activate', 'later');
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.text).toContain('--activate takes confirm, test, and not later.');
    const other = await flash('--simulate', 'esp32', path, '--activate', 'test');
    expect(other).toMatchObject({ code: 2 });
    expect(other.text).toContain('--activate is for Nordic');
  });

  it('writes with the ROM alone with --no-stub', async () => {
    const device = esp32({ seed: 35 });
    const { path, flashed } = files.espBuild('rom');
    const { code, text } = await flash((await served(device)).path, path, '--by-hand', '--yes', '--no-stub');
    expect(code, text).toBe(0);
    // MEM_BEGIN, which loads the stub (esptool documentation, "Serial Protocol").
    expect(device.commands.get(0x05)).toBeUndefined();
    for (const { offset, data } of flashed) {
      expect(isSame(device.flash.read(offset, data.length), data)).toBe(true);
    }
  });
});

describe('flash of boards of other families', { timeout: 60_000 }, () => {
  it('leaves EEPROM data out with --no-eeprom', async () => {
    const sketch = files.saved('blink.hex', avrFirmwareHex({ size: 1_000 }));
    // Four bytes at address 0 (Intel, "Hexadecimal Object File Format Specification").
    const eeprom = files.saved('blink.eep', ':0400000001020304F2\n:00000001FF\n');
    const planned = ['--simulate', 'arduino-mega', sketch, eeprom, '--plan'];
    expect((await flash(...planned)).text).toContain('1,004 bytes are written');
    const { code, text } = await flash(...planned, '--no-eeprom');
    expect(code, text).toBe(0);
    expect(text).toContain('1,000 bytes are written');
  });

  it('starts the bootloader of an STM32 by the wiring that --entry names', async () => {
    // The simulated board has DTR at reset and RTS at BOOT0.
    const backup = (wiring: string) => {
      const file = join(files.path, `${wiring}.bin`);
      return ran('read', '--simulate', 'stm32f103', file, '--range', '0x08000000+0x400', '--entry', wiring);
    };
    expect((await backup('usual')).code).toBe(0);
    const swapped = await backup('swapped');
    expect(swapped.code).toBe(3);
    expect(swapped.text).toContain('No bootloader answered on this port.');
    expect(await backup('sideways')).toMatchObject({ code: 2 });
  });
});
