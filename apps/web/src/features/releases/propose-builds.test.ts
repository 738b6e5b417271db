import { describe, expect, it } from 'vitest';
import type { DroppedEntry } from './dropped-entries.ts';
import type { ProjectDevice } from './model/build-drafts.ts';
import { proposeBuilds } from './propose-builds.ts';

const esp32 = { deviceFamily: 'esp', deviceModel: 'esp32' } as const;

const entry = (path: string, content: string | Uint8Array<ArrayBuffer> = 'x'): DroppedEntry => ({
  path,
  file: () => Promise.resolve(new File([content], path.slice(path.lastIndexOf('/') + 1))),
});

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
    expect((await read(entries, { ...esp32, deviceModel: 'esp32c6' })).builds).toEqual([c3, esp]);
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
