import { describe, expect, it } from 'vitest';
import type { DroppedEntry } from './dropped-entries.ts';
import { readBuildOutput, readFileFacts } from './read-build-output.ts';

const esp32 = { deviceFamily: 'esp', deviceModel: 'esp32' } as const;

const entry = (path: string, content: string | Uint8Array<ArrayBuffer> = 'x'): DroppedEntry => ({
  path,
  file: () => Promise.resolve(new File([content], path.slice(path.lastIndexOf('/') + 1))),
});

const read = async (entries: DroppedEntry[], target: Parameters<typeof readBuildOutput>[1] = esp32) => {
  const { files, list, notes } = await readBuildOutput(entries, target);
  return { files: files.map(({ file, offset }) => [file.name, offset]), list, notes };
};

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
      files: [
        ['bootloader.bin', 0x1000],
        ['partition-table.bin', 0x8000],
        ['app.bin', 0x10000],
      ],
      list: 'build/flasher_args.json',
      notes: [],
    });
  });

  it('names what its list wants and the folder lacks', async () => {
    const args = { flash_files: { '0x1000': 'bootloader.bin', '0x10000': 'app.bin' } };
    const { files, notes } = await read([entry('b/flasher_args.json', JSON.stringify(args)), entry('b/app.bin')]);
    expect(files).toEqual([['app.bin', 0x10000]]);
    expect(notes.join()).toContain('bootloader.bin');
  });

  it('is read from an ESP Web Tools manifest, the build for the chip of the project', async () => {
    const manifest = {
      name: 'x',
      builds: [
        { chipFamily: 'ESP32-C3', parts: [{ path: 'c3.bin', offset: 0 }] },
        { chipFamily: 'ESP32', parts: [{ path: 'esp32.bin', offset: 4096 }] },
      ],
    };
    const entries = [entry('w/manifest.json', JSON.stringify(manifest)), entry('w/c3.bin'), entry('w/esp32.bin')];
    expect((await read(entries)).files).toEqual([['esp32.bin', 4096]]);
    expect((await read(entries, { ...esp32, deviceModel: 'esp32c3' })).files).toEqual([['c3.bin', 0]]);
    expect((await read(entries, { ...esp32, deviceModel: 'esp32c6' })).notes.join()).toContain('ESP32-C6');
  });

  it('is the folder with most of it where no list names it, as PlatformIO and Arduino leave it', async () => {
    const entries = [
      entry('p/.pio/build/dev/firmware.bin'),
      entry('p/.pio/build/dev/bootloader.bin'),
      entry('p/.pio/build/dev/partitions.bin'),
      entry('p/data/logo.bin'),
    ];
    const { files, list } = await read(entries);
    expect(files.map(([name]) => name).sort()).toEqual(['bootloader.bin', 'firmware.bin', 'partitions.bin']);
    expect(files.every(([, offset]) => offset === null)).toBe(true);
    expect(list).toBeNull();
  });

  it('is only its .bin files for chips that have no such lists', async () => {
    const stm = { deviceFamily: 'stm', deviceModel: 'stm32g' } as const;
    expect((await read([entry('app.bin'), entry('notes.txt')], stm)).files).toEqual([
      ['app.bin', null],
      ['notes.txt', null],
    ]);
  });
});

describe('what the bytes of a file show', () => {
  /** Returns a partition table with one entry and the end mark (ESP-IDF, "Partition Tables"). */
  function partitionTable(offset: number): Uint8Array<ArrayBuffer> {
    const table = new Uint8Array(0xc00).fill(0xff);
    table.set([0xaa, 0x50, 0, 0]);
    new DataView(table.buffer).setUint32(4, offset, true);
    new DataView(table.buffer).setUint32(8, 0x100000, true);
    table.set([...new TextEncoder().encode('factory')], 12);
    table.fill(0, 19, 32);
    return table;
  }

  it('is asked of all files together', async () => {
    const table = new File([partitionTable(0x20000)], 'any.bin');
    const other = new File(['x'], 'factory.bin');
    const { byFile: facts } = await readFileFacts([other, table], esp32);
    expect(facts.get(table)).toMatchObject({ what: 'Partition table, 1 partitions', offset: 0x8000 });
    expect(facts.get(other)).toMatchObject({ offset: 0x20000 });
  });

  it('keeps files of one name apart', async () => {
    const files = [new File(['x'], 'a.bin'), new File([partitionTable(0x10000)], 'a.bin')] as const;
    const { byFile: facts } = await readFileFacts(files, esp32);
    expect(facts.get(files[0])?.offset).not.toBe(0x8000);
    expect(facts.get(files[1])?.offset).toBe(0x8000);
  });

  /** Returns the header of an image with one empty segment (esptool, "Firmware Image Format"). */
  function image(chipId: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(48);
    bytes.set([0xe9, 1, 2, 0x20]);
    new DataView(bytes.buffer).setUint16(12, chipId, true);
    bytes[47] = 0xef;
    return bytes;
  }

  it('warns of files for a chip that no project can be for', async () => {
    const p4 = new File([image(18)], 'app.bin');
    expect((await readFileFacts([p4], esp32)).warnings).toEqual([
      'The files were built for ESP32-P4, but this project is for ESP32.',
    ]);
    const c3 = new File([image(5)], 'app.bin');
    expect((await readFileFacts([c3], esp32)).warnings).toEqual([]);
  });

  it('is nothing for other families', async () => {
    const stm = { deviceFamily: 'stm', deviceModel: 'stm32g' } as const;
    expect((await readFileFacts([new File(['x'], 'a.bin')], stm)).byFile.size).toBe(0);
  });
});
