import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rpFirmware, rpFirmwareUf2 } from '@wirebench/devices/rp';
import { buildApp, buildBootloader, buildTable, chipIds, factoryLayout } from '@wirebench/flasher/testing';
import { zipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProjectDevice } from './build-drafts.ts';
import type { DroppedEntry } from './dropped-entries.ts';
import { proposeBuilds } from './propose-builds.ts';

const esp32 = { deviceFamily: 'esp', deviceModel: 'esp32' } as const;

const entry = (path: string, content: string | Uint8Array<ArrayBuffer> = 'x'): DroppedEntry => ({
  path,
  file: () => Promise.resolve(new File([content], path.slice(path.lastIndexOf('/') + 1))),
});

/** A program of 32 bits with one segment of 16 bytes (System V ABI, chapters 4 and 5). */
function elf(machine: number, address: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(100));
  new Uint8Array(view.buffer).set([0x7f, 0x45, 0x4c, 0x46, 1, 1, 1]);
  view.setUint16(16, 2, true);
  view.setUint16(18, machine, true);
  view.setUint32(28, 52, true);
  view.setUint16(42, 32, true);
  view.setUint16(44, 1, true);
  [1, 84, address, address, 16, 16].forEach((word, index) => {
    view.setUint32(52 + 4 * index, word, true);
  });
  return new Uint8Array(view.buffer);
}

const read = async (entries: DroppedEntry[], project: ProjectDevice = esp32) => {
  const { builds, list, notes } = await proposeBuilds(entries, project);
  return {
    builds: builds.map(({ deviceModel, guards, files }) => ({
      model: deviceModel,
      guards,
      files: files.map(({ file, offset }) => [file.name, offset]),
    })),
    list,
    notes,
  };
};

const filesOf = async (entries: DroppedEntry[], project?: ProjectDevice) =>
  (await read(entries, project)).builds[0]?.files;

const elfNames = async (entries: DroppedEntry[]) => {
  const { builds, notes } = await proposeBuilds(entries, esp32);
  return { elfs: builds.map(({ deviceModel, elf }) => [deviceModel, elf?.name ?? null]), notes };
};

/** Returns an app, and its ELF file with the hash that the app states. */
const appAndElf = (folder: string, chip: keyof typeof chipIds, states = true) => {
  const elf = Buffer.concat([Buffer.from('\x7fELF\x01\x01\x01', 'latin1'), Buffer.from(`program for ${chip}`)]);
  const elfHash = createHash('sha256').update(elf).digest('hex');
  const app = buildApp({ chipId: chipIds[chip], ...(states ? { elfHash } : {}) });
  return [entry(`${folder}/app.bin`, Buffer.from(app)), entry(`${folder}/app.elf`, elf)];
};

describe('the ELF file of a build', () => {
  beforeEach(() => vi.stubGlobal('isSecureContext', true));
  afterEach(() => vi.unstubAllGlobals());

  it('is the one whose hash the app states, for each of several builds', async () => {
    const bootloader = entry('c3/bootloader/bootloader.elf', '\x7fELF of a bootloader');
    const [c3, ofC3] = appAndElf('c3', 'esp32c3') as [DroppedEntry, DroppedEntry];
    const entries = [...appAndElf('one', 'esp32'), c3, bootloader, { ...ofC3, path: 'c3/symbols/app.elf' }];
    expect(await elfNames(entries)).toEqual({
      elfs: [
        ['esp32', 'app.elf'],
        ['esp32c3', 'app.elf'],
      ],
      notes: [],
    });
  });

  it('is missing if the app states the hash of another file', async () => {
    const [app] = appAndElf('one', 'esp32') as [DroppedEntry];
    const { elfs, notes } = await elfNames([app, entry('one/other.elf', '\x7fELF of another build')]);
    expect(elfs).toEqual([['esp32', null]]);
    expect(notes.join()).toContain('other.elf');
  });

  it('is the only one in its folder if the app states no hash, and none of several', async () => {
    const files = appAndElf('one', 'esp32', false);
    expect((await elfNames(files)).elfs).toEqual([['esp32', 'app.elf']]);
    expect((await elfNames([...files, entry('one/other.elf', '\x7fELF')])).elfs).toEqual([['esp32', null]]);
  });
});

describe('the output of a build', () => {
  it('is read from flasher_args.json, with the files where they are', async () => {
    const args = {
      flash_files: {
        '0x1000': 'bootloader/bootloader.bin',
        '0x8000': 'partition_table/partition-table.bin',
        '0x10000': 'app.bin',
      },
    };
    const entries = [
      entry('build/flasher_args.json', JSON.stringify(args)),
      entry('build/bootloader/bootloader.bin'),
      entry('build/partition_table/partition-table.bin'),
      entry('build/app.bin'),
      entry('build/compile_commands.json', '[]'),
    ];
    expect(await read(entries)).toEqual({
      builds: [
        {
          model: 'esp32',
          guards: {},
          files: [
            ['bootloader.bin', 0x1000],
            ['partition-table.bin', 0x8000],
            ['app.bin', 0x10000],
          ],
        },
      ],
      list: 'build/flasher_args.json',
      notes: [],
    });
  });

  it('names what its list wants and the folder lacks', async () => {
    const args = { flash_files: { '0x1000': 'bootloader.bin', '0x10000': 'app.bin' } };
    const { builds, notes } = await read([entry('b/flasher_args.json', JSON.stringify(args)), entry('b/app.bin')]);
    expect(builds[0]?.files).toEqual([['app.bin', 0x10000]]);
    expect(notes.join()).toContain('bootloader.bin');
  });

  it('is read from an ESP Web Tools manifest, each of its builds, that of the project first', async () => {
    const manifest = {
      name: 'x',
      builds: [
        { chipFamily: 'ESP32-C3', parts: [{ path: 'c3.bin', offset: 0 }] },
        { chipFamily: 'ESP32', parts: [{ path: 'esp32.bin', offset: 4096 }] },
      ],
    };
    const entries = [entry('w/manifest.json', JSON.stringify(manifest)), entry('w/c3.bin'), entry('w/esp32.bin')];
    const c3 = { model: 'esp32c3', guards: {}, files: [['c3.bin', 0]] };
    const esp = { model: 'esp32', guards: {}, files: [['esp32.bin', 4096]] };
    expect((await read(entries)).builds).toEqual([esp, c3]);
    expect((await read(entries, { ...esp32, deviceModel: 'esp32c3' })).builds).toEqual([c3, esp]);
    expect((await read(entries, { ...esp32, deviceModel: 'esp32c6' })).builds).toEqual([esp, c3]);
  });

  it('is the folder with most of it where no list names it, as PlatformIO and Arduino leave it', async () => {
    const entries = [
      entry('p/.pio/build/dev/firmware.bin'),
      entry('p/.pio/build/dev/bootloader.bin'),
      entry('p/.pio/build/dev/partitions.bin'),
      entry('p/data/logo.bin'),
    ];
    const { builds, list } = await read(entries);
    expect(builds).toHaveLength(1);
    const files = builds[0]?.files ?? [];
    expect(files.map(([name]) => name).sort()).toEqual(['bootloader.bin', 'firmware.bin', 'partitions.bin']);
    expect(files.every(([, offset]) => offset === null)).toBe(true);
    expect(list).toBeNull();
  });

  it('is only its .bin files for chips that have no such lists', async () => {
    const stm = { deviceFamily: 'stm', deviceModel: 'stm32g' } as const;
    expect(await filesOf([entry('app.bin'), entry('notes.txt')], stm)).toEqual([
      ['app.bin', null],
      ['notes.txt', null],
    ]);
  });
});

/** A record of one byte at 0, and the end (Intel HEX). */
const hexFile = ':01000000AA55\n:00000001FF\n';
const noData = ':00000001FF\n';
const uno = { deviceFamily: 'avr', deviceModel: 'uno' } as const;

describe('the output of the Arduino tools', () => {
  it('is the sketch without its bootloader, and without an EEPROM file that is empty', async () => {
    const folder = 'Blink/build/arduino.avr.uno/';
    const { builds, notes } = await read(
      [
        entry(`${folder}Blink.ino.eep`, noData),
        entry(`${folder}Blink.ino.hex`, hexFile),
        entry(`${folder}Blink.ino.with_bootloader.bin`),
        entry(`${folder}Blink.ino.with_bootloader.hex`, hexFile),
      ],
      uno,
    );
    expect(builds).toEqual([{ model: 'uno', guards: {}, files: [['Blink.ino.hex', null]] }]);
    expect(notes).toHaveLength(2);
    expect(notes[0]).toMatch(/^Blink\.ino\.with_bootloader\.\w+ is left out: it holds the bootloader/);
  });

  it('is the sketch with its EEPROM file, if that has data', async () => {
    const entries = [entry('b/Log.ino.eep', hexFile), entry('b/Log.ino.hex', hexFile)];
    expect(await filesOf(entries, uno)).toEqual([
      ['Log.ino.hex', null],
      ['Log.ino.eep', null],
    ]);
    expect(await filesOf([entry('Settings.eep', hexFile)], uno)).toEqual([['Settings.eep', null]]);
  });

  it('has a build for each board, by the names of the folders', async () => {
    const entries = [
      entry('s/build/arduino.avr.mega/s.ino.hex', hexFile),
      entry('s/build/arduino.avr.nano/s.ino.hex', hexFile),
      entry('s/.pio/build/leonardo/firmware.hex', hexFile),
      ...folder('esp/', build('esp32')),
    ];
    expect((await summary(entries, uno)).builds).toEqual([
      ['uno', {}, ['s.ino.hex']],
      ['esp32', {}, files],
      ['mega2560', {}, ['s.ino.hex']],
      ['leonardo', {}, ['firmware.hex']],
    ]);
    expect((await summary(entries)).builds.map(([model]) => model)).toEqual(['esp32', 'nano', 'mega2560', 'leonardo']);
  });
});

type Chip = keyof typeof chipIds;

const build = (chip: Chip, options: Parameters<typeof buildBootloader>[0] = {}) => ({
  'bootloader.bin': Uint8Array.from(buildBootloader({ chipId: chipIds[chip], ...options })),
  'partitions.bin': Uint8Array.from(buildTable(factoryLayout)),
  'firmware.bin': Uint8Array.from(buildApp({ chipId: chipIds[chip] })),
});
const folder = (path: string, files: Readonly<Record<string, Uint8Array<ArrayBuffer>>>) =>
  Object.entries(files).map(([name, bytes]) => entry(`${path}${name}`, bytes));
const summary = async (entries: DroppedEntry[], project?: ProjectDevice) => {
  const { builds, notes } = await read(entries, project);
  return { builds: builds.map(({ model, guards, files }) => [model, guards, files.map(([name]) => name)]), notes };
};
const files = ['bootloader.bin', 'partitions.bin', 'firmware.bin'];

describe('several builds', () => {
  it('are the environments of a PlatformIO project, the one for the project first', async () => {
    const entries = [
      ...folder('p/.pio/build/c3/', build('esp32c3')),
      ...folder('p/.pio/build/dev/', build('esp32')),
      ...folder('p/.pio/build/s3/', build('esp32s3')),
      entry('p/data/logo.bin'),
    ];
    expect(await summary(entries)).toEqual({
      builds: [
        ['esp32', {}, files],
        ['esp32s3', {}, files],
        ['esp32c3', {}, files],
      ],
      notes: [],
    });
  });

  it('are build folders of ESP-IDF beside each other, each with the offsets of its list', async () => {
    const idf = (chip: Chip, app: string) => [
      entry(`f/build-${chip}/bootloader/bootloader.bin`, build(chip)['bootloader.bin']),
      entry(`f/build-${chip}/app.bin`, build(chip)['firmware.bin']),
      entry(
        `f/build-${chip}/flasher_args.json`,
        JSON.stringify({
          flash_files: { '0x0': 'bootloader/bootloader.bin', [app]: 'app.bin' },
          extra_esptool_args: { chip },
        }),
      ),
    ];
    const { builds, notes } = await read([...idf('esp32c3', '0x20000'), ...idf('esp32s3', '0x30000')], {
      deviceFamily: 'esp',
      deviceModel: 'esp32s3',
    });
    expect(builds.map(({ model, files: placed }) => [model, placed.map(([, offset]) => offset)])).toEqual([
      ['esp32s3', [0, 0x30000]],
      ['esp32c3', [0, 0x20000]],
    ]);
    expect(notes).toEqual([]);
  });

  it('are files for several chips in one folder, which share what names no chip', async () => {
    const app = (chip: Chip) => build(chip)['firmware.bin'];
    const entries = [
      entry('d/app-esp32.bin', app('esp32')),
      entry('d/app-esp32-c3.bin', app('esp32c3')),
      entry('d/partitions.bin', build('esp32')['partitions.bin']),
      entry('d/data-esp32c3.bin'),
    ];
    expect((await summary(entries)).builds).toEqual([
      ['esp32', {}, ['partitions.bin', 'app-esp32.bin']],
      ['esp32c3', {}, ['partitions.bin', 'app-esp32-c3.bin', 'data-esp32c3.bin']],
    ]);
  });

  it('are unpacked from a zip', async () => {
    const packed = zipSync(
      Object.fromEntries(
        (['esp32', 'esp32c3'] as const).flatMap((chip) =>
          Object.entries(build(chip)).map(([name, bytes]) => [`${chip}/${name}`, bytes]),
        ),
      ),
    );
    expect((await summary([entry('release.zip', Uint8Array.from(packed))])).builds).toEqual([
      ['esp32', {}, files],
      ['esp32c3', {}, files],
    ]);
  });

  it('for one chip are told apart by their flash, or by the revision that they need', async () => {
    const large = folder('p/n16/', build('esp32', { sizeAndFrequency: 0x40 }));
    expect((await summary([...large, ...folder('p/n4/', build('esp32'))])).builds).toEqual([
      ['esp32', {}, files],
      ['esp32', { flashSize: 16 * 1_048_576 }, files],
    ]);
    const newer = folder('p/v3/', build('esp32', { minimumRevision: 300 }));
    expect((await summary([...newer, ...folder('p/v0/', build('esp32'))])).builds).toEqual([
      ['esp32', {}, files],
      ['esp32', { minRevision: 300 }, files],
    ]);
  });

  it('for one chip that nothing tells apart are one, and a sentence names the other', async () => {
    const { builds, notes } = await summary([...folder('p/a/', build('esp32')), ...folder('p/b/', build('esp32'))]);
    expect(builds).toEqual([['esp32', {}, files]]);
    expect(notes).toEqual([
      'p/b/ is left out, because it is for ESP32 too. Add it as a build of its own, with the boards that it is for.',
    ]);
  });

  it('may be for other families: a UF2 file names its chip', async () => {
    const uf2 = (family: number) => {
      const block = new Uint8Array(512);
      const view = new DataView(block.buffer);
      // Microsoft, "USB Flashing Format (UF2)": marks, flags, address, size, block, blocks, family.
      const words = [0x0a324655, 0x9e5d5157, 0x2000, 0x10000, 256, 0, 1, family];
      for (const [index, word] of words.entries()) {
        view.setUint32(index * 4, word, true);
      }
      view.setUint32(508, 0x0ab16f30, true);
      return block;
    };
    const entries = [
      entry('feather.uf2', uf2(0xada52840)),
      entry('pico.uf2', uf2(0xe48bff56)),
      entry('samd.uf2', uf2(0x68ed2b88)),
      ...folder('esp/', build('esp32')),
    ];
    const { builds, notes } = await summary(entries);
    expect(builds).toEqual([
      ['esp32', {}, files],
      ['nrf52840', {}, ['feather.uf2']],
      ['rp2040', {}, ['pico.uf2']],
    ]);
    expect(notes).toEqual([
      expect.stringMatching(/^samd.uf2 is left out: it is for .*, for which there are no releases\.$/),
    ]);
  });

  it('say what an archive is that cannot be opened', async () => {
    const { builds, notes } = await summary([entry('release.zip', 'PK, but no archive')]);
    expect(builds).toEqual([]);
    expect(notes.join()).toMatch(/^"release.zip": /);
  });
});

describe('builds for Raspberry Pi', () => {
  beforeEach(() => vi.stubGlobal('isSecureContext', true));
  afterEach(() => vi.unstubAllGlobals());

  const pico = { deviceFamily: 'rp', deviceModel: 'rp2040' } as const;
  const uf2 = (chip: 'rp2040' | 'rp2350') => rpFirmwareUf2({ chip, text: 'x', size: 1_024 });

  it('are recognised by the family of a UF2 file, whichever project they are dropped on', async () => {
    for (const project of [pico, esp32]) {
      const { builds } = await read([entry('pico.uf2', uf2('rp2040')), entry('pico2.uf2', uf2('rp2350'))], project);
      expect(builds.map(({ model, files }) => [model, files]).toSorted()).toEqual([
        ['rp2040', [['pico.uf2', null]]],
        ['rp2350', [['pico2.uf2', null]]],
      ]);
    }
  });

  it('are recognised by the addresses of an ELF file, whichever processor of the RP2350 it is for', async () => {
    for (const name of ['elf-riscv.elf', 'elf-rp2350.elf']) {
      const content = readFileSync(`packages/flasher/src/rp/files/testing/data/${name}`);
      const { builds, notes } = await read([entry(name, Uint8Array.from(content))], pico);
      expect([builds.map(({ model, files }) => [model, files]), notes]).toEqual([[['rp2350', [[name, null]]]], []]);
    }
  });

  it('leave out an ELF file of Espressif and of other chips by its addresses', async () => {
    const notesFor = async (machine: number, address: number) =>
      (await read([entry('app.elf', elf(machine, address))], pico)).notes.join();
    // An ESP32-P4, whose RAM is the first memory that is loaded; an i.MX RT; a GD32VF103.
    expect(await notesFor(243, 0x3010_0000)).toContain('Espressif chips are flashed with the .bin of the build.');
    expect(await notesFor(40, 0x6000_0000)).toContain('it is an ELF file for a chip for which there are no releases.');
    expect(await notesFor(243, 0x0800_0000)).toContain('it is an ELF file for a chip for which there are no releases.');
  });

  it('share a file that has programs for both chips', async () => {
    const both = Buffer.concat([uf2('rp2040'), uf2('rp2350')]);
    const { builds, notes } = await read([entry('universal.uf2', Uint8Array.from(both))], pico);
    expect(builds.map(({ model, files }) => [model, files])).toEqual([
      ['rp2040', [['universal.uf2', null]]],
      ['rp2350', [['universal.uf2', null]]],
    ]);
    expect(notes).toEqual([]);
  });

  it('take the UF2 of a folder of the Pico SDK, not the same program as .bin', async () => {
    const image = rpFirmware({ text: 'x', size: 1_024 });
    const entries = [entry('build/app.bin', image), entry('build/app.uf2', uf2('rp2040')), entry('build/app.elf.map')];
    expect(await filesOf(entries, pico)).toEqual([['app.uf2', null]]);
    expect(await filesOf([entry('build/app.bin', image)], pico)).toEqual([['app.bin', null]]);
  });
});
