/** `wirebench flash` as a process: simulated boards behind pseudo-terminals of socat, read back by other programs. */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  AvrDevice,
  avrFirmware,
  avrFirmwareHex,
  espFirmwareSet,
  NrfDevice,
  nrfFirmware,
  StmDevice,
  secureDfuPackage,
  stmFirmware,
} from '@wirebench/devices';
import { buildApp, buildBootloader, buildTable, chipIds } from '@wirebench/flasher/testing';
import { firstUnlessLong, randomBytes } from '@wirebench/test-input';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { hasAvrdude, serveToAvrdude } from '../../../../packages/devices/src/avr/testing/avrdude.ts';
import { hasStm32flash, serveToStm32flash } from '../../../../packages/devices/src/stm/testing/stm32flash.ts';
import { buildElf } from '../../../../packages/flasher/src/images/testing/formats.ts';
import { espFiles, TestFolder } from '../testing/built-files.ts';
import { programFile, ran, wirebench } from '../testing/monitored-port.ts';
import { esp32, hasSocat, isSame, served } from '../testing/served-board.ts';

const files = new TestFolder();
const folder = files.path;
const saved = files.saved.bind(files);
const espBuild = files.espBuild.bind(files);

/** Files for the simulated ESP32, with a program that prints. */
const demoFiles = () => espFirmwareSet({ chip: 'esp32', project: 'lamp', version: '1.0.0', text: 'on' });

const flash = (...args: readonly string[]) => ran('flash', ...args);

describe.runIf(hasSocat)('flash', { timeout: 60_000 }, () => {
  it('writes the folder of a build to an ESP32, verifies it, and writes nothing the second time', async () => {
    const device = esp32();
    const { path, flashed } = espBuild('idf');
    const { code, text } = await flash((await served(device)).path, path, '--by-hand', '--yes');
    expect(text).toMatch(/lamp\.bin at 0x10000, [\d.]+ KB\n/);
    expect(text).toMatch(/written and verified in/);
    expect(code).toBe(0);
    for (const { offset, data } of flashed) {
      expect(isSame(device.flash.read(offset, data.length), data)).toBe(true);
    }
    device.flash.resetCounts();
    // Without a question too: nothing on the board changes.
    const again = await flash((await served(device)).path, path, '--by-hand', '--json');
    expect(again.code).toBe(0);
    const steps = again.text.trim().split('\n');
    expect(steps.map((line) => JSON.parse(line)).find(({ event }) => event === 'written')).toMatchObject({
      written: 0,
      verified: true,
    });
    expect(device.flash.programmedBytes).toBe(0);
  });

  it('only plans with --plan, and without a terminal writes nothing before --yes', async () => {
    const device = esp32({ seed: 2 });
    const { path } = espBuild('planned');
    const planned = await flash((await served(device)).path, path, '--by-hand', '--plan');
    expect(planned).toMatchObject({ code: 0, text: expect.stringContaining('are written') });
    const asked = await flash((await served(device)).path, path, '--by-hand');
    expect(asked).toMatchObject({ code: 4, text: expect.stringContaining('With --yes this plan is carried out.') });
    expect(device.flash.programmedBytes).toBe(0);
  });

  it('refuses a build for another chip with 4, and --yes does not override it', async () => {
    const device = esp32({ seed: 3 });
    const { path } = espBuild('wrong', espFiles('esp32c3'), 'esp32c3');
    const { code, text } = await flash((await served(device)).path, path, '--by-hand', '--yes');
    expect(text).toMatch(/Refused: .*ESP32-C3/);
    expect(code).toBe(4);
    expect(device.flash.programmedBytes + device.flash.erasedBytes).toBe(0);
  });

  it('says after Ctrl+C what is half done, and writes only the rest the next time', async () => {
    const device = esp32({ seed: 4, profile: 'real-flash' });
    const data = randomBytes(600_000);
    const args = [`0x200000=${saved('data.bin', data)}`, '--by-hand', '--yes', '--json', '--family', 'esp'];
    const program = wirebench(['flash', (await served(device)).path, ...args]);
    await program.until(/"outcome":"verified"/);
    program.interrupt();
    expect(await program.exited).toBe(130);
    expect(program.text()).toContain('interrupted. The board is only partly written');
    expect(program.text()).toContain('The same command again writes the rest.');
    const { code, text } = await flash((await served(device)).path, ...args);
    expect(code).toBe(0);
    const [, written = ''] = /"event":"written","verified":true,"written":(\d+)/.exec(text) ?? [];
    expect(Number(written)).toBeLessThan(data.length);
    expect(isSame(device.flash.read(0x200000, data.length), data)).toBe(true);
  });

  it('ends with 3 when the board is unplugged during a write', async () => {
    const device = esp32({ seed: 5, profile: 'real-flash' });
    const data = randomBytes(600_000);
    const { path, terminal } = await served(device);
    const file = saved('long.bin', data);
    const program = wirebench(['flash', path, `0x200000=${file}`, '--by-hand', '--yes', '--json', '--family', 'esp']);
    await program.until(/"phase":"writing","done":[1-9]\d{4}/);
    await terminal.close();
    expect(await program.exited).toBe(3);
    expect(program.text()).toContain('The board was unplugged.');
  });

  it('finishes the write although the reader of its output has gone', async () => {
    const device = esp32({ seed: 6, profile: 'real-flash' });
    const { path, flashed } = espBuild('head');
    const port = (await served(device)).path;
    const line = '"$0" "$1" flash "$2" "$3" --by-hand --yes | head -n 1; exit $PIPESTATUS';
    const shell = spawn('bash', ['-c', line, process.execPath, programFile, port, path], { stdio: 'ignore' });
    expect(await new Promise((resolve) => shell.once('close', resolve))).toBe(0);
    for (const { offset, data } of flashed) {
      expect(isSame(device.flash.read(offset, data.length), data)).toBe(true);
    }
  });

  it('writes a raw binary to an STM32', async () => {
    const device = new StmDevice({ part: 'stm32f407', powerUp: 'bootloader', wiring: 'by-hand' });
    const image = stmFirmware({ text: 'written in a shell', size: 20_000 });
    const { path, terminal } = await served(device);
    await vi.waitUntil(() => device.state === 'bootloader', 10_000);
    const args = [saved('stm.bin', image), '--by-hand', '--yes', '--family', 'stm'];
    const { code, text } = await flash(path, ...args);
    expect(text).toMatch(/stm\.bin at 0x08000000, [\d.]+ KB/);
    expect(code).toBe(0);
    expect(isSame(device.flash.read(0, image.length), image)).toBe(true);
    if (hasStm32flash()) {
      await terminal.close();
      device.pressReset();
      const other = await serveToStm32flash(device, join(folder, 'stm32flash'));
      onTestFinished(() => other.close());
      await vi.waitUntil(() => device.state === 'bootloader', 10_000);
      const copy = join(folder, 'read-back.bin');
      await other.run('-r', copy, '-S', '0x08000000:20000');
      expect(readFileSync(copy).equals(Buffer.from(image))).toBe(true);
    }
  });

  it('writes a sketch to an Arduino Uno', async () => {
    const device = new AvrDevice({ board: 'arduino-uno', patience: 20, resetAtOpen: true });
    const size = 4_000;
    const hex = saved('sketch.hex', avrFirmwareHex({ size }));
    const { path, terminal } = await served(device);
    const program = wirebench(['flash', path, hex, '--yes']);
    expect(await program.exited, program.text()).toBe(0);
    expect(program.text()).toMatch(/sketch\.hex at 0x0, [\d.]+ KB/);
    expect(isSame(device.flash.read(0, size), avrFirmware({ size }))).toBe(true);
    if (hasAvrdude()) {
      await terminal.close();
      const other = await serveToAvrdude(device);
      onTestFinished(() => other.close());
      const copy = join(folder, 'uno.bin');
      await other.run('-U', `flash:r:${copy}:r`);
      expect(isSame(readFileSync(copy).subarray(0, size), avrFirmware({ size }))).toBe(true);
    }
  });

  it('writes a package to a Nordic board', async () => {
    const device = new NrfDevice({ board: 'nrf52840-secure', powerUp: 'bootloader' });
    const { image } = nrfFirmware({ board: 'nrf52840-secure', size: 16_384 });
    // Without its mark, real boards take it too.
    image.set(new TextEncoder().encode('another'), Buffer.from(image).indexOf('wirebench-boot-text'));
    const { code, text } = await flash(
      (await served(device)).path,
      saved('lamp.zip', secureDfuPackage([{ kind: 'application', image }])),
      '--yes',
    );
    expect(text).toContain('application.bin, 16 KB');
    expect(code).toBe(0);
    const found = Buffer.from(device.flash.read(0, device.flash.size)).indexOf(Buffer.from(image));
    expect(found).toBeGreaterThan(0);
  });

  it('ends with 3 for a port that is not there, and with 2 without a build', async () => {
    const { path } = espBuild('nowhere');
    expect(await flash(join(folder, 'none'), path)).toMatchObject({
      code: 3,
      text: expect.stringContaining('is not there'),
    });
    expect((await flash(join(folder, 'none'))).code).toBe(2);
  });
});

describe('flash of a simulated board', { timeout: 60_000 }, () => {
  it('shows the log until the text has come, and fails if it does not come', async () => {
    const { path } = espBuild('followed', demoFiles());
    const args = ['--simulate', 'esp32', path, '--yes'];
    const seen = await flash(...args, '--until', 'Project name:     lamp');
    expect(seen).toMatchObject({ code: 0, text: expect.stringContaining('2nd stage bootloader') });
    const missed = await flash(...args, '--until', 'no such text', '--timeout', '1');
    expect(missed).toMatchObject({ code: 1, text: expect.stringContaining('"no such text" did not come within 1 s') });
    const forbidden = await flash(...args, '--until', 'no such text', '--fail-on', '/2nd stage \\w+/');
    expect(forbidden).toMatchObject({
      code: 1,
      text: expect.stringContaining('/2nd stage \\w+/ came, which is a text of'),
    });
    const listened = await flash(...args, '--timeout', '1');
    expect(listened).toMatchObject({ code: 0, text: expect.stringContaining('2nd stage bootloader') });
  });

  /** Runs the program on a terminal up to its question. Returns how it is answered. */
  async function asked(question: RegExp, ...args: readonly string[]) {
    // Not as the first process of a session (`setsid`): its end discards terminal output that has not been read yet.
    const command = `EXEC:${process.execPath} ${programFile} flash ${args.join(' ')},pty,stderr`;
    const child = spawn('socat', ['STDIO', command]);
    const exited = new Promise((resolve) => child.once('close', resolve));
    onTestFinished(() => void child.kill());
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    await expect.poll(() => text, { timeout: 20_000 }).toMatch(question);
    return async (answer: string) => {
      child.stdin.write(`${answer}\n`);
      await exited;
      return text;
    };
  }

  it.runIf(hasSocat)('asks on a terminal, and writes after a yes only', async () => {
    const { path } = espBuild('terminal', demoFiles());
    const args = ['--simulate', 'esp32', path];
    const agreed = await (await asked(/Write\? \[y\/N\]/, ...args))('y');
    expect(agreed).toMatch(/Writing \[#*\.*\] .* KB of/);
    expect(agreed).toMatch(/written and verified in/);
    const refused = await (await asked(/Write\? \[y\/N\]/, ...args))('');
    expect(refused).toContain('wirebench: nothing was written.');
    expect(refused).not.toMatch(/written and verified/);
  });

  it.runIf(hasSocat)('writes nothing of a build that has changed while the question waited', async () => {
    const { path } = espBuild('rebuilt', demoFiles());
    const answer = await asked(/Write\? \[y\/N\]/, '--simulate', 'esp32', path);
    writeFileSync(join(path, 'lamp-esp32.bin'), 'the next build');
    const late = await answer('y');
    expect(late).toContain('lamp-esp32.bin has changed since it was read');
    expect(late).not.toMatch(/written and verified/);
  });

  it('writes an ELF file of an RP2350 for RISC-V, with and without its family', async () => {
    const file = 'packages/flasher/src/rp/files/testing/data/elf-riscv.elf';
    for (const named of firstUnlessLong([[], ['--family', 'rp']])) {
      const { code, text } = await flash('--simulate', 'rp2350', file, '--yes', ...named);
      expect(text).toContain('elf-riscv.elf at 0x10000000, 4 KB');
      expect(text).toMatch(/written and verified in/);
      expect(code).toBe(0);
    }
  });

  it('goes by the named board, whatever the files are for', async () => {
    // A program for an STM32F4: initial stack pointer and reset vector.
    const vectors = Uint8Array.of(0, 0, 2, 0x20, 1, 1, 0, 8, ...randomBytes(56));
    const stm = saved('blink.elf', buildElf([{ address: 0x0800_0000, bytes: vectors }], { machine: 40 }));
    const { code, text } = await flash('--simulate', 'rp2040', stm, '--yes');
    expect(text).not.toContain('BOOT0');
    expect([code, text]).toEqual([4, expect.stringContaining('blink.elf: for STM32.')]);
    const other = await flash('--simulate', 'rp2040', stm, '--yes', '--family', 'stm');
    expect([other.code, other.text]).toEqual([
      2,
      expect.stringContaining('rp2040 is a board of Raspberry Pi: --family rp, and not stm.'),
    ]);
  });

  it('names the chip of an ELF file that belongs elsewhere, and writes none of no flasher', async () => {
    const espressif = saved('c6.elf', buildElf([{ address: 0x4200_0020, bytes: randomBytes(64) }], { machine: 243 }));
    const refused = await flash('--simulate', 'rp2350', espressif, '--yes', '--family', 'rp');
    expect(refused).toMatchObject({ code: 4, text: expect.stringContaining('c6.elf: for Espressif.') });
    // A SAM D21 behind its bootloader, and a GD32VF103.
    const others = [
      ['d21.elf', buildElf([{ address: 0x2000, bytes: randomBytes(64) }], { machine: 40 })],
      ['gd32v.elf', buildElf([{ address: 0x0800_0000, bytes: randomBytes(64) }], { machine: 243 })],
    ] as const;
    for (const [name, bytes] of others) {
      const { code, text } = await flash('--simulate', 'rp2350', saved(name, bytes), '--yes');
      expect([code, text.match(/This is an ELF file for another chip\./g)]).toEqual([4, [expect.any(String)]]);
    }
  });

  it('judges what a merged file puts into flash as it judges the files apart', async () => {
    const own = { chipId: chipIds.esp32s3 };
    const layout = [
      { name: 'nvs', type: 1, subtype: 2, offset: 0x9000, size: 0x5000 },
      { name: 'spiffs', type: 1, subtype: 0x82, offset: 0x10000, size: 0x100000 },
      { name: 'app0', type: 0, subtype: 0x10, offset: 0x120000, size: 0x100000 },
    ];
    const planned = (name: string, app: Uint8Array, place: number) => {
      const content = new Uint8Array(place + app.length).fill(0xff);
      content.set(buildBootloader(own));
      content.set(buildTable(layout), 0x8000);
      content.set(app, place);
      return flash('--simulate', 'esp32s3', saved(name, content), '--plan');
    };
    expect(await planned('merged.bin', buildApp({ ...own, size: 900_000 }), 0x10000)).toMatchObject({
      code: 0,
      text: expect.stringContaining('The app in "merged.bin" is at 0x10000, where the partition table has no app.'),
    });
    expect(await planned('mixed.bin', buildApp({ chipId: chipIds.esp32c3 }), 0x120000)).toMatchObject({
      code: 4,
      text: expect.stringContaining('Refused: The app in "mixed.bin" was built for ESP32-C3.'),
    });
  });

  it('tells files of one name by the folders that their list names, and refuses those of other folders', async () => {
    const list = { '0x1000': 'a/main.bin', '0x8000': 'table.bin', '0x10000': 'b/main.bin' };
    const [bootloader, table, app] = espFiles('esp32').map(({ data }) => data);
    for (const place of ['named/a', 'named/b', 'named/x', 'named/y']) {
      mkdirSync(join(folder, place), { recursive: true });
    }
    const flashed = [
      saved('named/flasher_args.json', JSON.stringify({ flash_files: list, extra_esptool_args: { chip: 'esp32' } })),
      saved('named/table.bin', table ?? ''),
    ];
    const own = [saved('named/b/main.bin', app ?? ''), saved('named/a/main.bin', bootloader ?? '')];
    const planned = await flash('--simulate', 'esp32', ...flashed, ...own, '--plan');
    expect(planned.text).toMatch(/main\.bin at 0x1000, 11\.\d KB/);
    expect(planned.text).not.toContain('starts no app');
    const others = [saved('named/x/main.bin', app ?? ''), saved('named/y/main.bin', bootloader ?? '')];
    const { code, text } = await flash('--simulate', 'esp32', ...flashed, ...others, '--yes');
    expect(text).toContain(
      'flasher_args.json lists "a/main.bin", and the folders do not tell which of the 2 files it is: named/x/main.bin, named/y/main.bin.',
    );
    expect(code).toBe(4);
  });

  it('asks for the family where neither files nor port tell it', async () => {
    const { path } = await served(new StmDevice({ part: 'stm32f407', powerUp: 'bootloader', wiring: 'by-hand' }));
    const { code, text } = await flash(path, saved('plain.bin', Uint8Array.from([1, 2, 3, 4])));
    expect(text).toContain('--family stm');
    expect(code).toBe(4);
  });

  it('asks for one of several builds by its name', async () => {
    const { path } = espBuild('both/one', demoFiles());
    espBuild('both/two', demoFiles());
    const { code, text } = await flash('--simulate', 'esp32', join(path, '..'), '--yes');
    expect(text).toContain('--build <name>');
    expect(code).toBe(4);
    const chosen = await flash('--simulate', 'esp32', join(path, '..'), '--yes', '--build', 'one');
    expect(chosen).toMatchObject({ code: 0, text: expect.stringContaining('lamp-esp32.bin at 0x10000') });
  });

  it('installs the build of a manifest, from a server and from a file', async () => {
    const { flashed } = espBuild('release', demoFiles());
    const parts = flashed.map(({ file, offset }) => ({ path: file, offset }));
    const manifest = JSON.stringify({ name: 'Lamp', version: '1.0.0', builds: [{ chipFamily: 'ESP32', parts }] });
    const local = saved('release/manifest.json', manifest);
    const server = createServer(({ url = '' }, answer) => {
      answer.end(readFileSync(join(folder, 'release', url.slice(1))));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/manifest.json`;
    for (const place of firstUnlessLong([address, local])) {
      const { code, text } = await flash('--simulate', 'esp32', place, '--yes');
      expect(text).toContain('Lamp 1.0.0');
      expect(text).toMatch(/written and verified in/);
      expect(code).toBe(0);
    }
  });
});
