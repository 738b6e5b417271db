/** `wirebench read` as a process: simulated boards behind pseudo-terminals of socat, compared with other programs. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { AvrDevice, NrfDevice, StmDevice } from '@wirebench/devices';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { hasAvrdude, serveToAvrdude } from '../../../../packages/devices/src/avr/testing/avrdude.ts';
import { hasStm32flash, serveToStm32flash } from '../../../../packages/devices/src/stm/testing/stm32flash.ts';
import { programFile, ran, wirebench } from '../testing/monitored-port.ts';
import { esp32, hasSocat, isSame, served } from '../testing/served-board.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirebench-read-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (...args: readonly string[]) => ran('read', ...args);

describe.runIf(hasSocat)('read', { timeout: 60_000 }, () => {
  it('reads a range of an ESP32 to a file', async () => {
    const device = esp32();
    const file = join(folder, 'range.bin');
    const args = [file, '--range', '0x10000+0x4000', '--by-hand', '--family', 'esp', '--json'];
    const { code, text } = await read((await served(device)).path, ...args);
    expect(code, text).toBe(0);
    expect(isSame(readFileSync(file), device.flash.read(0x10000, 0x4000))).toBe(true);
    const steps = text.trim().split('\n');
    expect(steps.map((line) => JSON.parse(line)).find(({ event }) => event === 'read')).toMatchObject({
      offset: 0x10000,
      length: 0x4000,
      sha256: createHash('sha256').update(device.flash.read(0x10000, 0x4000)).digest('hex'),
    });
    expect(device.flash.programmedBytes + device.flash.erasedBytes).toBe(0);
  });

  it('reads a partition by its name', async () => {
    const device = esp32({ seed: 2 });
    const file = join(folder, 'nvs.bin');
    const { code, text } = await read((await served(device)).path, file, '-r', 'nvs', '--by-hand', '--family', 'esp');
    expect(code, text).toBe(0);
    expect(text).toMatch(/from 0x9000 were read to .*nvs\.bin\./);
    expect(isSame(readFileSync(file), device.flash.read(0x9000, readFileSync(file).length))).toBe(true);
  });

  it('names the file by the board and the offset where none is given', async () => {
    const device = esp32({ seed: 3 });
    const { path } = await served(device);
    const args = [programFile, 'read', path, '-r', '0x8000+0x1000', '--by-hand', '--family', 'esp'];
    const own = mkdtempSync(join(folder, 'named-'));
    const program = spawn(process.execPath, args, { cwd: own, stdio: 'ignore' });
    expect(await new Promise((resolve) => program.once('close', resolve))).toBe(0);
    expect(readdirSync(own)).toEqual([
      expect.stringMatching(/^esp32-[\da-f]{12}-\d{4}-\d\d-\d\d-\d{4}-region-0x8000\.bin$/),
    ]);
  });

  it('refuses a range that the board does not have, with the sentence of the page', async () => {
    const device = esp32({ seed: 4 });
    const file = join(folder, 'refused.bin');
    const refused = async (range: string) =>
      read((await served(device)).path, file, '-r', range, '--by-hand', '--family', 'esp');
    expect(await refused('0x10+0x1000')).toMatchObject({
      code: 4,
      text: expect.stringContaining('Start and length must be multiples of 0x1000.'),
    });
    expect((await refused('0x3ff000+0x2000')).text).toContain('The flash ends at 0x400000.');
    expect(await refused('none')).toMatchObject({
      code: 2,
      text: expect.stringContaining('--range takes 0x9000+0x1000'),
    });
    expect(existsSync(file)).toBe(false);
  });

  it('leaves no file after Ctrl+C and without a board', async () => {
    const device = esp32({ seed: 5, profile: 'real-flash' });
    const file = join(folder, 'half.bin');
    const { path, terminal } = await served(device);
    const args = [file, '--by-hand', '--family', 'esp', '--json'];
    const program = wirebench(['read', path, ...args]);
    await program.until(/"phase":"reading","done":[1-9]/);
    program.interrupt();
    expect(await program.exited).toBe(130);
    expect(program.text()).toContain('interrupted. ');
    await terminal.close();
    const other = await served(device);
    const unplugged = wirebench(['read', other.path, ...args]);
    await unplugged.until(/"phase":"reading","done":[1-9]/);
    await other.terminal.close();
    expect(await unplugged.exited).toBe(3);
    expect(unplugged.text()).toContain('The board was unplugged.');
    expect(existsSync(file) || existsSync(`${file}.part`)).toBe(false);
  });

  it('replaces a file only with --force, and touches no board before that', async () => {
    const device = esp32({ seed: 8 });
    const { path } = await served(device);
    const file = join(folder, 'there.bin');
    writeFileSync(file, 'mine');
    const args = ['-r', '0x8000+0x1000', '--by-hand', '--family', 'esp'];
    const refused = await read(path, file, ...args);
    expect(refused).toEqual({
      code: 2,
      text: `wirebench: ${file} is there already. Give another name, or replace it with --force.\n`,
    });
    expect(readFileSync(file, 'utf8')).toBe('mine');
    const { code, text } = await read(path, file, ...args, '--force');
    expect(code, text).toBe(0);
    expect(isSame(readFileSync(file), device.flash.read(0x8000, 0x1000))).toBe(true);
  });

  it('prints the bytes alone to standard output for -', async () => {
    const device = esp32({ seed: 9 });
    const { path } = await served(device);
    const args = ['read', path, '-', '-r', '0x8000+0x1000', '--by-hand', '--family', 'esp'];
    const line = '"$0" "$@" > out.bin';
    const own = mkdtempSync(join(folder, 'piped-'));
    const shell = spawn('sh', ['-c', line, process.execPath, programFile, ...args], { cwd: own, stdio: 'ignore' });
    expect(await new Promise((resolve) => shell.once('close', resolve))).toBe(0);
    expect(isSame(readFileSync(join(own, 'out.bin')), device.flash.read(0x8000, 0x1000))).toBe(true);
    expect(readdirSync(own)).toEqual(['out.bin']);
  });

  it('takes a folder for a drive only if it is one of a board', async () => {
    expect(await read(folder, join(folder, 'x.bin'))).toEqual({
      code: 3,
      text: `wirebench: "${basename(folder)}" is not the drive of a board in BOOTSEL: the folder has no INFO_UF2.TXT. Name a port, or such a drive.\n`,
    });
  });

  it('ends with 1 for a file that cannot be written', async () => {
    const device = esp32({ seed: 6 });
    const file = join(folder, 'none', 'out.bin');
    const args = [file, '-r', '0x8000+0x1000', '--by-hand', '--family', 'esp'];
    const { code, text } = await read((await served(device)).path, ...args);
    expect(code).toBe(1);
    expect(text).toContain('the file cannot be written');
  });

  it('finishes the file although the reader of its output has gone', async () => {
    const device = esp32({ seed: 7 });
    const { path } = await served(device);
    const file = join(folder, 'head.bin');
    const line = '"$0" "$1" read "$2" "$3" -r 0x8000+0x1000 --by-hand --family esp | true; exit $PIPESTATUS';
    const shell = spawn('bash', ['-c', line, process.execPath, programFile, path, file], { stdio: 'ignore' });
    expect(await new Promise((resolve) => shell.once('close', resolve))).toBe(0);
    expect(isSame(readFileSync(file), device.flash.read(0x8000, 0x1000))).toBe(true);
  });

  it('reads the same bytes of an STM32 as stm32flash', async () => {
    const device = new StmDevice({ part: 'stm32f407', powerUp: 'bootloader', wiring: 'by-hand' });
    const { path, terminal } = await served(device);
    await vi.waitUntil(() => device.state === 'bootloader', 10_000);
    const file = join(folder, 'stm.bin');
    const args = [file, '-r', '0x08000000+0x4000', '--by-hand', '--family', 'stm'];
    const { code, text } = await read(path, ...args);
    expect(code, text).toBe(0);
    expect(isSame(readFileSync(file), device.flash.read(0, 0x4000))).toBe(true);
    if (hasStm32flash()) {
      await terminal.close();
      device.pressReset();
      const other = await serveToStm32flash(device, join(folder, 'stm32flash'));
      onTestFinished(() => other.close());
      await vi.waitUntil(() => device.state === 'bootloader', 10_000);
      const copy = join(folder, 'read-back.bin');
      await other.run('-r', copy, '-S', '0x08000000:16384');
      expect(isSame(readFileSync(copy), readFileSync(file))).toBe(true);
    }
  });

  it('reads the same bytes of an Arduino Uno as avrdude', async () => {
    const device = new AvrDevice({ board: 'arduino-uno', patience: 20, resetAtOpen: true });
    const { path, terminal } = await served(device);
    const file = join(folder, 'uno.bin');
    const program = wirebench(['read', path, file, '-r', '0+4096', '--family', 'avr']);
    expect(await program.exited, program.text()).toBe(0);
    expect(isSame(readFileSync(file), device.flash.read(0, 4_096))).toBe(true);
    if (hasAvrdude()) {
      await terminal.close();
      const other = await serveToAvrdude(device);
      onTestFinished(() => other.close());
      const copy = join(folder, 'uno-copy.bin');
      await other.run('-U', `flash:r:${copy}:r`);
      expect(isSame(readFileSync(copy).subarray(0, 4_000), readFileSync(file).subarray(0, 4_000))).toBe(true);
    }
  });

  it('says that a Nordic bootloader cannot be read', async () => {
    const device = new NrfDevice({ board: 'nrf52840-secure', powerUp: 'bootloader' });
    const file = join(folder, 'nrf.bin');
    const { code, text } = await read((await served(device)).path, file, '-r', '0x1000+0x1000', '--family', 'nrf');
    expect(code).toBe(1);
    expect(text).toContain('read');
    expect(existsSync(file)).toBe(false);
  });

  it('ends with 3 for a port that is not there, and with 2 for wrong use', async () => {
    expect((await read(join(folder, 'none'), '--family', 'esp')).code).toBe(3);
    expect((await read()).code).toBe(2);
    expect((await read('a', 'b', 'c')).code).toBe(2);
  });

  it('knows the family of a simulated board', async () => {
    const file = join(folder, 'simulated.bin');
    const { code, text } = await read(file, '--simulate', 'esp32', '-r', '0x8000+0x1000');
    expect(code, text).toBe(0);
    expect(readFileSync(file)).toHaveLength(0x1000);
  });

  it('ends with 4 where nothing tells the family', async () => {
    const { path } = await served(esp32({ seed: 8 }));
    expect(await read(path)).toMatchObject({ code: 4, text: expect.stringContaining('--family esp or') });
  });
});
