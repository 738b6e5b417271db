/** `wirebench backup` and `restore` as processes: backup sets that the page's reader opens, and other boards' files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AvrDevice, avrFirmware, NrfDevice, StmDevice, stmFirmware } from '@wirebench/devices';
import { readBackupSet } from '@wirebench/flasher/esp/backup';
import { readNestedZip } from '@wirebench/flasher/images';
import { isLong } from '@wirebench/test-input';
import { describe, expect, it, vi } from 'vitest';
import { TestFolder } from '../testing/built-files.ts';
import { ran, wirebench } from '../testing/monitored-port.ts';
import { esp32, hasSocat, isSame, served } from '../testing/served-board.ts';

const files = new TestFolder();
const esp = ['--by-hand', '--family', 'esp'];
const inFolder = (name: string) => join(files.path, name);
const wholeOf = (device: { readonly flash: { readonly size: number; read(at: number, length: number): Uint8Array } }) =>
  device.flash.read(0, device.flash.size);

/** An ESP32 in use, and a backup set of its whole flash. */
async function backedUp(name: string, seed: number) {
  const device = esp32({ seed, flash: { content: 'demo' } });
  const file = inFolder(name);
  const { code, text } = await ran('backup', (await served(device)).path, file, ...esp);
  expect(code, text).toBe(0);
  return { device, file, text };
}

describe.runIf(hasSocat)('backup and restore', { timeout: 120_000 }, () => {
  it('save all of an ESP32 as a set that the reader of the page opens', async () => {
    const { device, file, text } = await backedUp('whole.zip', 51);
    expect(text).toContain(`4 MB were backed up to ${file}.`);
    const set = await readBackupSet(readNestedZip(new Uint8Array(readFileSync(file))));
    expect(set).toMatchObject({ chip: 'esp32', board: device.mac.toLowerCase(), flashSize: device.flash.size });
    expect(set.parts.map(({ name }) => name)).toEqual(['flash']);
    expect(isSame(set.parts[0]?.bytes ?? new Uint8Array(), wholeOf(device))).toBe(true);
    expect(device.flash.programmedBytes + device.flash.erasedBytes).toBe(0);
    // A backup replaces a file with --force only.
    const again = await ran('backup', (await served(device)).path, file, ...esp);
    expect(again).toMatchObject({ code: 2, text: expect.stringContaining('is there already') });
    expect((await ran('backup', (await served(device)).path, file, ...esp, '--force', '--part', 'nvs')).code).toBe(0);
  });

  it('put all of the flash back on the same board, and then write nothing', async () => {
    const { device, file } = await backedUp('same.zip', 52);
    const before = wholeOf(device);
    const erased = await ran('erase', (await served(device)).path, '--yes', '--range', '0x8000+0x20000', ...esp);
    expect(erased.code, erased.text).toBe(0);
    expect(isSame(wholeOf(device), before)).toBe(false);
    const { code, text } = await ran('restore', (await served(device)).path, file, '--yes', ...esp);
    expect(code, text).toBe(0);
    expect(text).toMatch(/Of this board, made .* UTC\. All hashes match\./);
    expect(isSame(wholeOf(device), before)).toBe(true);
    device.flash.resetCounts();
    const again = await ran('restore', (await served(device)).path, file, '--yes', ...esp);
    expect(again.code, again.text).toBe(0);
    // A partition that gets data is not one that is erased.
    expect(text).not.toMatch(/^Erased: .*(?:bootloader|nvs)/m);
    expect(again.text).not.toContain('Erased: ');
    expect(device.flash.programmedBytes).toBe(0);
  });

  it('put one partition back from all of the flash, and nothing beside it', async () => {
    const { device, file } = await backedUp('one.zip', 56);
    const before = wholeOf(device);
    const erased = await ran('erase', (await served(device)).path, '--yes', '--range', '0x8000+0x20000', ...esp);
    expect(erased.code, erased.text).toBe(0);
    const expected = wholeOf(device);
    expected.set(before.subarray(0x8000, 0x9000), 0x8000);
    const table = await ran('restore', (await served(device)).path, file, '--part', 'partition table', '--yes', ...esp);
    expect(table.code, table.text).toBe(0);
    expect(isSame(wholeOf(device), expected)).toBe(true);
    expected.set(before.subarray(0x9000, 0xd000), 0x9000);
    const { code, text } = await ran('restore', (await served(device)).path, file, '--part', 'nvs', '--yes', ...esp);
    expect(code, text).toBe(0);
    expect(text).toContain('All hashes match.\n  nvs at 0x9000, 16 KB\n  nvs at');
    expect(isSame(wholeOf(device), expected)).toBe(true);
  });

  it('leave the settings of another board alone unless they are wanted', async () => {
    const { file, device: source } = await backedUp('other.zip', 53);
    const device = esp32({ seed: 54, flash: { content: 'demo' } });
    const own = device.flash.read(0x9000, 0x4000);
    const { code, text } = await ran('restore', (await served(device)).path, file, '--yes', ...esp);
    expect(code, text).toBe(0);
    expect(text).toContain('Of another board');
    expect(text).toContain('Stays as it is on this board: nvs, phy_init.');
    expect(isSame(device.flash.read(0x9000, 0x4000), own)).toBe(true);
    expect(isSame(device.flash.read(0x10000, 0x100000), source.flash.read(0x10000, 0x100000))).toBe(true);
    const all = await ran('restore', (await served(device)).path, file, '--yes', '--no-keep-nvs', ...esp);
    expect(all.code, all.text).toBe(0);
    expect(isSame(wholeOf(device), wholeOf(source))).toBe(true);
  });

  it.runIf(isLong)('save and restore single partitions', async () => {
    const device = esp32({ seed: 55, flash: { content: 'demo' } });
    const file = inFolder('parts.zip');
    const names = ['--part', 'nvs', '--part', 'otadata'];
    const made = await ran('backup', (await served(device)).path, file, ...names, ...esp);
    expect(made.code, made.text).toBe(0);
    const before = wholeOf(device);
    await ran('erase', (await served(device)).path, '--yes', '--range', 'nvs', ...esp);
    await ran('erase', (await served(device)).path, '--yes', '--range', 'otadata', ...esp);
    const { code, text } = await ran('restore', (await served(device)).path, file, '--part', 'nvs', '--yes', ...esp);
    expect(code, text).toBe(0);
    expect(isSame(device.flash.read(0x9000, 0x4000), before.subarray(0x9000, 0xd000))).toBe(true);
    expect(isSame(device.flash.read(0xd000, 0x2000), before.subarray(0xd000, 0xf000))).toBe(false);
    const wrong = await ran('restore', (await served(device)).path, file, '--part', 'none', '--yes', ...esp);
    expect(wrong).toMatchObject({ code: 2, text: expect.stringContaining('--part takes "nvs", "otadata"') });
  });

  it('refuse a set of another chip, a damaged set and a file of another kind', async () => {
    const other = esp32({ chip: 'esp32c3', seed: 58 });
    const ofOther = inFolder('chip.zip');
    const made = await ran('backup', (await served(other)).path, ofOther, '--part', 'nvs', ...esp);
    expect(made.code, made.text).toBe(0);
    const damaged = new Uint8Array(readFileSync(ofOther));
    damaged[100] = 0x55;
    const device = esp32({ seed: 56 });
    const refused = async (file: string) => ran('restore', (await served(device)).path, file, '--yes', ...esp);
    expect(await refused(ofOther)).toMatchObject({
      code: 4,
      text: expect.stringContaining('This backup is of an ESP32-C3. This board has an ESP32.'),
    });
    expect(await refused(files.saved('damaged.zip', damaged))).toMatchObject({
      code: 4,
      text: expect.stringContaining('The archive is damaged.'),
    });
    expect(await refused(files.saved('some.bin', damaged.slice(1)))).toMatchObject({
      code: 4,
      text: expect.stringContaining('Choose a backup set (.zip), or a .bin of the whole flash of 4 MB.'),
    });
    expect((await ran('restore', 'none', inFolder('nothing.zip'))).code).toBe(2);
    expect(device.flash.programmedBytes + device.flash.erasedBytes).toBe(0);
  });

  it('leave no file after Ctrl+C, and write the rest of a restore the next time', async () => {
    const { file, device: source } = await backedUp('rest.zip', 57);
    const device = esp32({ seed: 57, profile: 'real-flash', flash: { content: 'empty' } });
    const half = inFolder('half.zip');
    const backup = wirebench(['backup', (await served(device)).path, half, ...esp, '--json']);
    await backup.until(/"phase":"reading","done":[1-9]/);
    backup.interrupt();
    expect(await backup.exited).toBe(130);
    expect(existsSync(half) || existsSync(`${half}.part`)).toBe(false);
    const restore = wirebench(['restore', (await served(device)).path, file, '--yes', ...esp, '--json']);
    await restore.until(/"phase":"writing","done":[1-9]/);
    restore.interrupt();
    expect(await restore.exited).toBe(130);
    expect(restore.text()).toContain('The same command again writes the rest.');
    const { code, text } = await ran('restore', (await served(device)).path, file, '--yes', ...esp);
    expect(code, text).toBe(0);
    expect(isSame(wholeOf(device), wholeOf(source))).toBe(true);
  });

  it.runIf(isLong)('save an STM32 to a file that goes back to its address', async () => {
    const content = [{ address: 0x0800_0000, data: stmFirmware({ text: 'kept', size: 9_000 }) }];
    const device = new StmDevice({ part: 'stm32f407', powerUp: 'bootloader', wiring: 'by-hand', content });
    const args = ['--by-hand', '--family', 'stm'];
    const ready = async () => {
      const { path } = await served(device);
      device.pressReset();
      await vi.waitUntil(() => device.state === 'bootloader', 10_000);
      return path;
    };
    const before = wholeOf(device);
    const file = inFolder('stm-0x08000000.bin');
    const made = await ran('backup', await ready(), file, ...args);
    expect(made.code, made.text).toBe(0);
    expect(isSame(readFileSync(file), before)).toBe(true);
    expect((await ran('erase', await ready(), '--yes', ...args)).code).toBe(0);
    const { code, text } = await ran(
      'restore',
      await ready(),
      file,
      '--yes',
      '--override',
      'not-firmware,not-an-image',
      ...args,
    );
    expect(code, text).toBe(0);
    expect(isSame(wholeOf(device), before)).toBe(true);
  });

  it('save the sketch and the EEPROM of an Arduino Uno, and put them back', async () => {
    const content = [{ address: 0, data: avrFirmware({ lines: ['Sketch'], size: 2_000, seed: 3 }) }];
    const device = new AvrDevice({ board: 'arduino-uno', patience: 20, resetAtOpen: true, content });
    const ready = async () => {
      const { path } = await served(device);
      device.pressReset();
      return path;
    };
    const before = wholeOf(device);
    const made = await ran('backup', await ready(), inFolder('uno'), '--family', 'avr');
    expect(made.code, made.text).toBe(0);
    expect((await ran('erase', await ready(), '--yes', '--family', 'avr')).code).toBe(0);
    const saved = readdirSync(files.path)
      .filter((name) => name.startsWith('uno'))
      .map(inFolder);
    const { code, text } = await ran('restore', await ready(), ...saved, '--yes', '--family', 'avr');
    expect(code, text).toBe(0);
    expect(isSame(wholeOf(device), before)).toBe(true);
  });

  it('say that a Nordic bootloader cannot be read', async () => {
    const device = new NrfDevice({ board: 'nrf52840-secure', powerUp: 'bootloader' });
    const { code, text } = await ran('backup', (await served(device)).path, inFolder('nrf.bin'), '--family', 'nrf');
    expect(code, text).not.toBe(0);
    expect(readdirSync(files.path)).not.toContain('nrf.bin');
  });
});
