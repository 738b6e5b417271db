import type { FamilyId } from '@wirebench/boards';
import { avrFirmware, avrFirmwareHex, nrfFirmware } from '@wirebench/devices';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { avrFiles } from '../avr/avr-files.ts';
import { espFiles } from '../esp/esp-files.ts';
import { nrfFiles } from '../nrf/nrf-files.ts';
import { rpFiles } from '../rp/rp-files.ts';
import { stmFiles } from '../stm/stm-files.ts';
import {
  buildApp,
  buildBootloader,
  buildDfuse,
  buildElf,
  buildIntelHex,
  buildSRecords,
  buildTable,
  buildUf2,
  chipIds,
  factoryLayout,
  withDfuSuffix,
} from '../testing/index.ts';
import type { GivenFile } from './chosen-files.ts';
import { FileSets } from './given-files.ts';

const given = (name: string, content: Uint8Array | string): GivenFile => ({
  name,
  content: new Blob([typeof content === 'string' ? content : Uint8Array.from(content)]),
});
const utf8 = (text: string) => new TextEncoder().encode(text);

const pages = {
  esp: () => new FileSets(espFiles),
  stm: () => new FileSets(stmFiles),
  nrf: () => new FileSets(nrfFiles),
  avr: () => new FileSets(avrFiles),
  rp: () => new FileSets(rpFiles),
} satisfies Record<FamilyId, () => unknown>;

/** Returns a program for an Arm chip: a vector table, and code. */
function armProgram(stack: number, reset: number): Uint8Array {
  const bytes = new Uint8Array(600).fill(0x42);
  const view = new DataView(bytes.buffer);
  [stack, reset, reset + 8, reset + 16].forEach((word, index) => {
    view.setUint32(4 * index, word, true);
  });
  return bytes;
}

/** Returns an image of MCUboot: its header, and a program. */
function mcuboot(): Uint8Array {
  const bytes = new Uint8Array(700).fill(0x11);
  const view = new DataView(bytes.buffer);
  [0x96f3b83d, 0, 0x200, 100, 0, 0, 0, 0].forEach((word, index) => {
    view.setUint32(4 * index, word, true);
  });
  return bytes;
}

const stm = armProgram(0x2000_5000, 0x0800_0199);
const nordic = armProgram(0x2000_8000, 0x0002_6199);
const c3 = { chipId: chipIds.esp32c3 };
const idf = [
  given('build/bootloader/bootloader.bin', buildBootloader(c3)),
  given('build/partition_table/partition-table.bin', buildTable(factoryLayout)),
  given('build/hello.bin', buildApp(c3)),
  given('build/flasher_args.json', JSON.stringify({ flash_files: { '0x10000': 'hello.bin' } })),
  given('build/hello.elf', buildElf([{ address: 0x4200_0000, bytes: stm }], { machine: 243 })),
];
const sketch = avrFirmwareHex();
const package52 = nrfFirmware({ board: 'nrf52840-secure', size: 8_192 });

const samples: readonly (readonly [what: string, family: FamilyId, files: readonly GivenFile[]])[] = [
  ['an image for an ESP32', 'esp', [given('app.bin', buildApp())]],
  ['a folder of ESP-IDF', 'esp', idf],
  ['a partition table', 'esp', [given('partitions.bin', buildTable(factoryLayout))]],
  [
    'the source of a partition table',
    'esp',
    [given('partitions.csv', '# Name, Type, SubType, Offset, Size\nnvs, data, nvs, 0x9000, 0x6000,\n')],
  ],
  [
    'an ELF file for Xtensa',
    'esp',
    [given('app.elf', buildElf([{ address: 0x400d_0000, bytes: stm }], { machine: 94 }))],
  ],
  ['UF2 for an ESP32-S3', 'esp', [given('app.uf2', buildUf2({ address: 0x10000, bytes: buildApp() }, 0xc47e5767))]],
  ['Intel HEX of an ESP32', 'esp', [given('all.hex', buildIntelHex([{ address: 0x1000, bytes: buildBootloader() }]))]],
  [
    'Intel HEX at the flash of an STM32',
    'stm',
    [given('app.hex', buildIntelHex([{ address: 0x0800_0000, bytes: stm }]))],
  ],
  ['S-records of an STM32', 'stm', [given('app.s19', buildSRecords([{ address: 0x0800_4000, bytes: stm }]))]],
  ['a program for an STM32', 'stm', [given('app.bin', stm)]],
  [
    'an ELF file of an STM32',
    'stm',
    [given('app.elf', buildElf([{ address: 0x0800_0000, bytes: stm }], { machine: 40 }))],
  ],
  [
    'an ELF file of an RP2350 for RISC-V',
    'rp',
    [given('app.elf', buildElf([{ address: 0x1000_0000, bytes: stm }], { machine: 243 }))],
  ],
  [
    'an ELF file of an ESP32-P4',
    'esp',
    [given('app.elf', buildElf([{ address: 0x4000_0020, bytes: stm }], { machine: 243 }))],
  ],
  ['DfuSe', 'stm', [given('app.dfu', buildDfuse([{ elements: [{ address: 0x0800_0000, bytes: stm }] }]))]],
  ['a DFU file', 'stm', [given('app.dfu', withDfuSuffix(stm))]],
  ['UF2 for an STM32F4', 'stm', [given('app.uf2', buildUf2({ address: 0x0800_0000, bytes: stm }, 0x57755a57))]],
  ['a DFU package', 'nrf', [given(package52.name, package52.bytes)]],
  [
    'a DFU package in an archive',
    'nrf',
    [given('release.zip', zipSync({ [`fw/${package52.name}`]: package52.bytes }))],
  ],
  ['Intel HEX of an nRF52', 'nrf', [given('app.hex', buildIntelHex([{ address: 0x26000, bytes: nordic }]))]],
  ['UF2 for an nRF52840', 'nrf', [given('app.uf2', buildUf2({ address: 0x26000, bytes: nordic }))]],
  ['a sketch', 'avr', [given('Blink.ino.hex', sketch)]],
  ['a raw sketch', 'avr', [given('Blink.ino.bin', avrFirmware())]],
  [
    'an ELF file of an AVR',
    'avr',
    [given('Blink.ino.elf', buildElf([{ address: 0, bytes: avrFirmware() }], { machine: 83 }))],
  ],
  ['data for EEPROM', 'avr', [given('Blink.ino.eep', ':0400000001020304F2\n:00000001FF\n')]],
  [
    'an archive of a sketch',
    'avr',
    [given('build.zip', zipSync({ 'build/arduino.avr.uno/Blink.ino.hex': utf8(sketch) }))],
  ],
];
const families = Object.keys(pages) as FamilyId[];
const combinations = samples.flatMap(([what, family, files]) =>
  families.map((page) => [what, page, family, files] as const),
);

describe('files find their flasher', () => {
  it.each(combinations)('%s on the page %s belongs to %s', async (_, page, family, files) => {
    const chosen = await pages[page]().add(files);
    if (page === family) {
      expect(chosen.elsewhere).toBeUndefined();
    } else {
      expect(chosen).toMatchObject({ files: [], elsewhere: { family, only: true } });
      expect(chosen.elsewhere?.names.length).toBeGreaterThan(0);
    }
  });

  it.each(families)('an image of MCUboot stays where it can be written: %s', async (page) => {
    const { elsewhere } = await pages[page]().add([given('zephyr.signed.bin', mcuboot())]);
    const isHere = page === 'nrf' || page === 'stm';
    expect(elsewhere).toEqual(isHere ? undefined : { family: 'nrf', names: ['zephyr.signed.bin'], only: false });
  });

  it.each(families)('an ELF file for a chip of no flasher is left out with that reason: %s', async (page) => {
    const other = given('app.elf', buildElf([{ address: 0x0800_0000, bytes: stm }], { machine: 243 }));
    for (const set of [undefined, 'a build of a release']) {
      expect(await pages[page]().add([other], set)).toMatchObject({
        files: [],
        leftOut: [{ name: 'app.elf', why: expect.stringMatching(/^This is an ELF file for another chip\. /) }],
      });
    }
  });

  it.each(families)('files of unknown contents stay on the page %s', async (page) => {
    const { elsewhere } = await pages[page]().add([given('data.bin', new Uint8Array(300).fill(0x5a))]);
    expect(elsewhere).toBeUndefined();
  });

  it('leaves out the files of another family beside its own, with the reason', async () => {
    const { files, leftOut, elsewhere } = await pages
      .esp()
      .add([...idf.slice(0, 3), given('stm/app.hex', buildIntelHex([{ address: 0x0800_0000, bytes: stm }]))]);
    expect([files.length, elsewhere]).toEqual([3, undefined]);
    expect(leftOut).toEqual([{ name: 'app.hex', why: 'It is for an STM32, and belongs in the flasher for these.' }]);
  });

  it('keeps the files that are chosen already', async () => {
    const set = pages.esp();
    await set.add([given('app.bin', buildApp())]);
    const { files, elsewhere } = await set.add([given('Blink.ino.hex', sketch)]);
    expect([files.map(({ name }) => name), elsewhere?.family]).toEqual([['app.bin'], 'avr']);
  });
});

const part = (index: number) => Uint8Array.from({ length: 600 }, (_, at) => (at * 31 + index) % 251);
const parts = (count: number, folder = 'build') =>
  Array.from({ length: count }, (_, index) =>
    given(`${folder}/part-0x${(index + 1).toString(16)}0000.bin`, part(index)),
  );
const zipOf = (files: Record<string, Uint8Array>) => zipSync(files);

describe('the limit of files', () => {
  it.each([5, 6, 16])('takes a build of %i files in a folder as one of four', async (count) => {
    const { files, conflicts } = await pages.esp().add(parts(count));
    expect([files.length, conflicts]).toEqual([count, []]);
  });

  it('takes a build in an archive, and a list with its files, as one', async () => {
    const set = pages.esp();
    const names = Array.from({ length: 7 }, (_, index) => `part-${index}.bin`);
    await set.add([
      given(
        'fw.zip',
        zipOf(
          Object.fromEntries(
            names.map((name, index) => [`${name.replace('.bin', '')}-0x${index + 1}0000.bin`, part(index)]),
          ),
        ),
      ),
    ]);
    const list = {
      flash_files: Object.fromEntries(names.map((name, index) => [`0x${(index + 16).toString(16)}0000`, name])),
    };
    const { files, conflicts } = await set.add([
      ...names.map((name, index) => given(name, part(100 + index))),
      given('flasher_args.json', JSON.stringify(list)),
    ]);
    expect([files.length, conflicts]).toEqual([14, []]);
    expect(new Set(files.map(({ build }) => build))).toEqual(new Set(['fw.zip', 'flasher_args.json']));
  });

  it('stops at the seventeenth file of a build, and names it', async () => {
    const set = pages.esp();
    const { files, conflicts } = await set.add(parts(17));
    expect(conflicts).toMatchObject([
      { code: 'too-many-parts', what: '"build" has 17 files. A build has at most 16.', stops: true },
    ]);
    expect(set.remove([files[0]?.id ?? 0]).conflicts).toEqual([]);
  });

  it('stops at a fifth build, and counts single files with builds', async () => {
    const set = pages.esp();
    const steps = [1, 2, 3, 4].map((index) => given(`single-0x${index}00000.bin`, part(index)));
    await set.add(steps);
    const { conflicts } = await set.add(parts(2, 'other'));
    expect(conflicts).toMatchObject([{ code: 'too-many-files', files: ['other'], stops: true }]);
  });

  it('stops at the seventeenth file of a build of a release', async () => {
    expect((await pages.esp().add(parts(16), 'build-1')).conflicts).toEqual([]);
    expect((await pages.esp().add(parts(17), 'build-1')).conflicts).toMatchObject([{ stops: true }]);
  });

  it('keeps no more than four full builds of a folder with hundreds of files', async () => {
    const set = pages.esp();
    const many = Array.from({ length: 90 }, (_, index) =>
      given(`all/part-0x${(index + 1).toString(16)}0000.bin`, part(index)),
    );
    const { files, conflicts } = await set.add(many);
    expect(files).toHaveLength(64);
    expect(conflicts).toMatchObject([{ code: 'too-many-files', stops: true }, { code: 'too-many-parts' }]);
    expect(set.remove(files.map(({ id }) => id)).conflicts).toEqual([]);
  });

  it.each([
    [
      'stm',
      (index: number) =>
        given(`fw/part-${index}.hex`, buildIntelHex([{ address: 0x0800_0000 + index * 0x1000, bytes: stm }])),
    ],
    [
      'avr',
      (index: number) =>
        given(`fw/part-${index}.hex`, buildIntelHex([{ address: index * 0x1000, bytes: avrFirmware() }])),
    ],
  ] as const)('holds for the family %s as well', async (family, file) => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => file(index));
    expect((await pages[family]().add(many(6))).conflicts).toEqual([]);
    expect((await pages[family]().add(many(17))).conflicts).toMatchObject([{ code: 'too-many-parts', stops: true }]);
  });
});

describe('builds that were given together', () => {
  const board = (folder: string, chip: { chipId: number }) => ({
    [`${folder}/bootloader.bin`]: buildBootloader(chip),
    [`${folder}/firmware.bin`]: buildApp(chip),
  });
  const twoChips = () =>
    given('weather.zip', zipOf({ ...board('board-a', { chipId: chipIds.esp32s3 }), ...board('board-b', c3) }));

  it('are asked for by folder and chip, and nothing is written before', async () => {
    const set = pages.esp();
    const { files, builds, conflicts } = await set.add([twoChips()]);
    expect(files).toEqual([]);
    expect(builds).toEqual({
      picked: null,
      options: [
        { name: 'board-a', chip: 'ESP32-S3' },
        { name: 'board-b', chip: 'ESP32-C3' },
      ],
    });
    expect(conflicts).toMatchObject([
      { code: 'several-builds', what: 'There are 2 builds: board-a, board-b.', stops: true },
    ]);
  });

  it('are taken one in place of the other', async () => {
    const set = pages.esp();
    await set.add([twoChips()]);
    const a = await set.choose('board-a');
    expect([a.files.map(({ chip }) => chip), a.conflicts]).toEqual([['ESP32-S3', 'ESP32-S3'], []]);
    const b = await set.choose('board-b');
    expect(b.files.map(({ chip, build }) => [chip, build])).toEqual([
      ['ESP32-C3', 'board-b'],
      ['ESP32-C3', 'board-b'],
    ]);
  });

  it('leave a single file beside them', async () => {
    const set = pages.esp();
    await set.add([twoChips(), given('settings-0x9000.bin', part(1))]);
    expect((await set.choose('board-a')).files).toHaveLength(3);
    expect((await set.choose('board-b')).files).toHaveLength(3);
  });

  it('are forgotten with the last file, and when another build comes', async () => {
    const set = pages.esp();
    await set.add([twoChips()]);
    const { builds, files } = await set.add(parts(2));
    expect([builds, files.length]).toEqual([undefined, 2]);
    await set.add([twoChips()]);
    const { files: left } = await set.choose('board-a');
    expect(set.remove(left.map(({ id }) => id)).builds?.picked ?? null).not.toBe('board-b');
  });

  it('are two archives side by side', async () => {
    const archives = ['kitchen', 'garage'].map((name) => given(`${name}.zip`, zipOf({ 'firmware.bin': buildApp(c3) })));
    const { builds } = await pages.esp().add(archives);
    expect(builds?.options.map(({ name }) => name)).toEqual(['kitchen.zip', 'garage.zip']);
  });

  it('are HEX files of two boards with an STM32, in folders or side by side', async () => {
    const program = buildIntelHex([{ address: 0x0800_0000, bytes: stm }]);
    const folders = await pages
      .stm()
      .add([given('fw.zip', zipOf({ 'f103/app.hex': program, 'f401/app.hex': program }))]);
    expect(folders.builds?.options.map(({ name }) => name)).toEqual(['f103', 'f401']);
    const beside = await pages
      .stm()
      .add([given('fw.zip', zipOf({ 'app-f103.hex': program, 'app-f401.hex': program }))]);
    expect(beside.builds?.options.map(({ name }) => name)).toEqual(['app-f103.hex', 'app-f401.hex']);
  });

  it('are not a loader and an app for an STM32, nor the formats of one program', async () => {
    const app = buildIntelHex([{ address: 0x0800_4000, bytes: stm }]);
    const loader = buildIntelHex([{ address: 0x0800_0000, bytes: stm }]);
    const { builds, files, leftOut } = await pages.stm().add([
      given(
        'fw.zip',
        zipOf({
          'loader.hex': loader,
          'app.hex': app,
          'app.elf': buildElf([{ address: 0x0800_4000, bytes: stm }], { machine: 40 }),
        }),
      ),
    ]);
    expect([builds, files.map(({ name }) => name)]).toEqual([undefined, ['loader.hex', 'app.hex']]);
    expect(leftOut).toEqual([{ name: 'app.elf', why: 'It is the same program as app.hex beside it.' }]);
  });

  it('are the boards of an Arduino sketch', async () => {
    const boards = ['arduino.avr.uno', 'arduino.avr.mega'].flatMap((name) => [
      given(`build/${name}/Blink.ino.hex`, sketch),
      given(`build/${name}/Blink.ino.with_bootloader.hex`, sketch),
    ]);
    const set = pages.avr();
    const { builds, files } = await set.add(boards);
    expect([files, builds?.options.map(({ name }) => name)]).toEqual([[], ['arduino.avr.uno', 'arduino.avr.mega']]);
    expect((await set.choose('arduino.avr.uno')).files.map(({ name }) => name)).toEqual(['Blink.ino.hex']);
  });
});
